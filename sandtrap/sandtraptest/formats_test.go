package sandtraptest

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestFormatWarnings: a format whose arguments do not fit is told of, with its place; what fits, or is not known, is not.
func TestFormatWarnings(t *testing.T) {
	box, err := sandtrap.New(t.Context(), pure())
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	const head = "type S struct { A int; B string }\ntype N int\nfunc (N) String() string { return \"\" }\ntype E struct{}\nfunc (E) Error() string { return \"\" }\nvar a any\nvar s S\nvar bs []byte\nvar list []int\nvar f = 1.5\nvar n N\nvar err error\nvar p *S\n"
	for text, want := range map[string]string{
		`fmt.Printf("%d\n", "x")`:                            `script.go:14:1: %d of the format of fmt.Printf is given "x", of type string; %v prints any value`,
		`fmt.Printf("%s is %d\n", "x")`:                      `the format of fmt.Printf takes 2 arguments and is given 1 argument`,
		`fmt.Printf("done\n", 1, 2)`:                         `the format of fmt.Printf takes 0 arguments and is given 2 arguments`,
		`fmt.Printf("%d%%\n")`:                               `takes 1 argument and is given 0 arguments`,
		`_ = fmt.Sprintf("%s", 3)`:                           `%s of the format of fmt.Sprintf is given 3, of type int`,
		`_ = fmt.Sprintf("%d", f)`:                           `%d of the format of fmt.Sprintf is given f, of type float64`,
		`_ = fmt.Sprintf("%.2f", 3)`:                         `%.2f of the format`,
		`_ = fmt.Sprintf("%.2f", float64(3))`:                "",
		`_ = fmt.Sprintf("%s", []int{1})`:                    `%s of the format`,
		`_ = fmt.Sprintf("%t", 1)`:                           `%t of the format`,
		`_ = fmt.Sprintf("%5d", true)`:                       `%5d of the format`,
		`_ = fmt.Errorf("x: %d", "s")`:                       `%d of the format of fmt.Errorf`,
		`fmt.Fprintf(os.Stderr, "%d", "s")`:                  `%d of the format of fmt.Fprintf`,
		`fmt.Println("%d items", 3)`:                         `fmt.Println prints %d as it is; use fmt.Printf`,
		`_ = fmt.Sprint("%s", 3)`:                            `fmt.Sprint prints %s as it is; use fmt.Sprintf`,
		`_ = fmt.Sprintf("%*d", "x", 3)`:                     `the * in %*d of the format of fmt.Sprintf is given "x"`,
		`_ = fmt.Sprintf("%s", fmt.Sprint)`:                  `%s of the format`,
		`fmt.Println("100% sure", 3)`:                        "",
		`fmt.Printf("%d%%\n", 3)`:                            "",
		`fmt.Printf("%v %+v %T %q\n", s, p, err, "x")`:       "",
		`fmt.Printf("%s %v\n", err, n)`:                      "",
		`fmt.Printf("%s %d\n", n, n)`:                        "",
		`fmt.Printf("%s\n", E{})`:                            "",
		`fmt.Printf("%d\n", a)`:                              "",
		`fmt.Printf("%x %s %q\n", bs, bs, bs)`:               "",
		`fmt.Printf("%d %v\n", list, list)`:                  "",
		`fmt.Printf("%6.2f|%-10s|%05d|%+d\n", f, "a", 1, 2)`: "",
		`fmt.Printf("%*d\n", 5, 3)`:                          "",
		`fmt.Printf("%c %U %q\n", 'a', 'a', 'a')`:            "",
		`fmt.Printf("%x %X\n", "s", 255)`:                    "",
		`fmt.Printf("%p\n", p)`:                              "",
		`fmt.Printf("%[2]d %[1]s\n", "a", 1)`:                "",
		`fmt.Printf("%d\n", []any{1}...)`:                    "",
		`format := "%d"; fmt.Printf(format, "x")`:            "",
		`const format = "%d"; fmt.Printf(format, "x")`:       `%d of the format`,
		`_ = fmt.Errorf("x: %w", err)`:                       "",
		`fmt.Printf("%5t|%e|%g\n", true, f, f)`:              "",
		`type R []R; fmt.Printf("%d", R{})`:                  "",
		`type R [1][]R; var r R; fmt.Printf("%d", r)`:        "",
		`const k = "****************"; const b = k+k+k+k+k+k+k+k; const c = b+b+b+b+b+b+b+b; const d = c+c+c+c+c+c+c+c; const e = d+d+d+d+d+d; fmt.Printf("%"+e+"d")`: "",
		`fmt.Printf("%\xff", 1)`: "",
		`fmt.Printf("%\xff")`:    "takes 1 argument and is given 0",
		`fmt.Printf("%s", p)`:    "",
	} {
		checked, err := box.Check(t.Context(), sandtrap.Script{Text: head + text})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := checked.Warnings
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.Contains(got[0], want)) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
