package std

import (
	"fmt"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimfmt "github.com/sandtrap-go/sandtrap/builtins/internal/shim/fmt"
)

var stdFmt = rows.Package{
	Path:    "fmt",
	Engine:  "*=places *=formats Scan=scan Scanf=scan Scanln=scan Sscan=scan Sscanf=scan Sscanln=scan Fscan=scan Fscanf=scan Fscanln=scan",
	Bounded: "FormatString",
	Prints:  "*",
	Prompt:  "Append Appendf Appendln Errorf Fprint Fprintf Fprintln Print Printf Println Sprint Sprintf Sprintln Stringer.*",
	Members: []rows.Member{
		{Name: "Formatter", Value: (*fmt.Formatter)(nil)},
		{Name: "GoStringer", Value: (*fmt.GoStringer)(nil)},
		{Name: "ScanState", Value: (*fmt.ScanState)(nil)},
		{Name: "Scanner", Value: (*fmt.Scanner)(nil)},
		{Name: "State", Value: (*fmt.State)(nil)},
		{Name: "Stringer", Value: (*fmt.Stringer)(nil)},

		{Name: "Append", Value: shimfmt.Append},
		{Name: "Appendf", Value: shimfmt.Appendf},
		{Name: "Appendln", Value: shimfmt.Appendln},
		{Name: "Errorf", Value: shimfmt.Errorf},
		{Name: "FormatString", Value: fmt.FormatString},
		{Name: "Fprint", Value: shimfmt.Fprint},
		{Name: "Fprintf", Value: shimfmt.Fprintf},
		{Name: "Fprintln", Value: shimfmt.Fprintln},
		{Name: "Fscan", Value: shimfmt.Fscan},
		{Name: "Fscanf", Value: shimfmt.Fscanf},
		{Name: "Fscanln", Value: shimfmt.Fscanln},
		{Name: "Print", Value: shimfmt.Print, Why: "prints to the script's own standard output"},
		{Name: "Printf", Value: shimfmt.Printf},
		{Name: "Println", Value: shimfmt.Println},
		{Name: "Scan", Value: shimfmt.Scan, Why: "reads the script's own standard input"},
		{Name: "Scanf", Value: shimfmt.Scanf},
		{Name: "Scanln", Value: shimfmt.Scanln},
		{Name: "Sprint", Value: shimfmt.Sprint},
		{Name: "Sprintf", Value: shimfmt.Sprintf},
		{Name: "Sprintln", Value: shimfmt.Sprintln},
		{Name: "Sscan", Value: shimfmt.Sscan, Why: "long numbers take long to read"},
		{Name: "Sscanf", Value: shimfmt.Sscanf, Why: "long numbers take long to read"},
		{Name: "Sscanln", Value: shimfmt.Sscanln, Why: "long numbers take long to read"},
	},
}
