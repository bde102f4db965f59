package builtins

import "fmt"

var stdFmt = Package{
	Path:    "fmt",
	Bounded: "FormatString",
	Prints:  "*",
	Prompt:  "Append Appendf Appendln Errorf Fprint Fprintf Fprintln Print Printf Println Sprint Sprintf Sprintln Stringer.*",
	Members: []Member{
		{Name: "Formatter", Value: (*fmt.Formatter)(nil)},
		{Name: "GoStringer", Value: (*fmt.GoStringer)(nil)},
		{Name: "ScanState", Value: (*fmt.ScanState)(nil)},
		{Name: "Scanner", Value: (*fmt.Scanner)(nil)},
		{Name: "State", Value: (*fmt.State)(nil)},
		{Name: "Stringer", Value: (*fmt.Stringer)(nil)},

		{Name: "Append", Value: fmtAppend},
		{Name: "Appendf", Value: fmtAppendf},
		{Name: "Appendln", Value: fmtAppendln},
		{Name: "Errorf", Value: fmtErrorf},
		{Name: "FormatString", Value: fmt.FormatString},
		{Name: "Fprint", Value: fmtFprint},
		{Name: "Fprintf", Value: fmtFprintf},
		{Name: "Fprintln", Value: fmtFprintln},
		{Name: "Fscan", Value: fmtFscan},
		{Name: "Fscanf", Value: fmtFscanf},
		{Name: "Fscanln", Value: fmtFscanln},
		{Name: "Print", Value: fmtPrint, Why: "prints to the script's own standard output"},
		{Name: "Printf", Value: fmtPrintf},
		{Name: "Println", Value: fmtPrintln},
		{Name: "Scan", Value: fmtScan, Why: "reads the script's own standard input"},
		{Name: "Scanf", Value: fmtScanf},
		{Name: "Scanln", Value: fmtScanln},
		{Name: "Sprint", Value: fmtSprint},
		{Name: "Sprintf", Value: fmtSprintf},
		{Name: "Sprintln", Value: fmtSprintln},
		{Name: "Sscan", Value: fmtSscan, Why: "long numbers take long to read"},
		{Name: "Sscanf", Value: fmtSscanf, Why: "long numbers take long to read"},
		{Name: "Sscanln", Value: fmtSscanln, Why: "long numbers take long to read"},
	},
}
