package sandtraptest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// leftTypes are types of errors of a script.
const leftTypes = `
type E struct { N int }
func (e *E) Error() string { return fmt.Sprint("e", e.N) }
type V struct { Why string; Cause error }
func (v V) Error() string { return "v " + v.Why }
func (v V) Unwrap() error { return v.Cause }
type C int
func (c C) Error() string { return "c" }
func (c C) Is(other error) bool { return other == io.EOF }
type L []error
func (l L) Error() string { return "l" }
func (l L) Unwrap() []error { return l }
type P struct{}
func (P) Error() string { panic("none") }
type Coded interface { error; Code() int }
func (e *E) Code() int { return e.N }
`

// leftErrors are values of a variable x, and what the host finds in what it gets for it.
var leftErrors = []struct{ src, text, finds string }{
	{"x := errors.Join(&E{1}, io.EOF)", "e1\nEOF", "EOF"},
	{"var x error = &E{2}", "e2", ""},
	{"var x Coded = &E{2}", "e2", ""},
	{"var x error = C(1)", "c", ""},
	{`var x error = V{"a", io.EOF}`, "v a", "EOF"},
	{`var x error = V{"a", V{"b", fmt.Errorf("w: %w", &fs.PathError{Op: "o", Path: "p", Err: io.EOF})}}`, "v a", "EOF path:p:EOF"},
	{"var x error = L{&E{1}, io.EOF}", "l", "EOF"},
	{`x := fmt.Errorf("w: %w", V{"b", io.EOF})`, "w: v b", "EOF"},
	{`x := fmt.Errorf("%w %w", &E{3}, io.EOF)`, "e3 EOF", "EOF"},
	{`var x error = &fs.PathError{Op: "o", Path: "p", Err: V{"a", io.EOF}}`, "o p: v a", "EOF path:p:v a"},
	{`x := fmt.Errorf("w: %w", io.EOF)`, "w: EOF", "EOF"},
	{"var x error = P{}", "(the error's text panicked)", ""},
	{"var x error = (*E)(nil)", "<nil>", ""},
	{"x := []error{io.EOF, &E{4}}", "[EOF e4]", ""},
	{`x := map[string]error{"a": &E{4}}`, "map[a:e4]", ""},
	{"x := struct { Err error; Any any; E *E }{&E{5}, &E{6}, &E{7}}", "map[Any:map[N:6] E:map[N:7] Err:e5]", ""},
	{"x := []any{errors.Join(&E{8}, io.EOF), &E{9}, nil}", "[e8\nEOF map[N:9] <nil>]", ""},
	{"e := &V{}; e.Cause = e; var x error = e", "(error)", ""},
}

func leftFinds(err error) string {
	var found []string
	if errors.Is(err, io.EOF) {
		found = append(found, "EOF")
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		found = append(found, "path:"+p.Path+":"+p.Err.Error())
	}
	return strings.Join(found, " ")
}

// TestLeftErrors: what a run, a cell or a function leaves of errors of the script's own types has their texts, and wraps
// what they wrap; no method of the script is called when that is over.
func TestLeftErrors(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("the interpreter gives host functions no errors of the script")
		}
		p := pure()
		p.Uncalled = func(name string, err error) { b.Errorf("%s is called too late: %v", name, err) }
		box := b.Box(p)
		for _, tc := range leftErrors {
			check := func(from string, v any) {
				err, _ := v.(error)
				if text := fmt.Sprint(v); text != tc.text || leftFinds(err) != tc.finds || err != nil && err.Error() != tc.text {
					b.Errorf("%s from %s: %T %q, and in it %q; want %q and %q", tc.src, from, v, text, leftFinds(err), tc.text, tc.finds)
				}
			}
			res, err := box.Run(b.Context(), sandtrap.Script{Text: leftTypes + tc.src})
			if err != nil {
				b.Fatal(err)
			}
			check("a run", res.Vars["x"])
			if text := string(res.JSON("x")); strings.Contains(text, "over") {
				b.Errorf("%s in JSON: %s", tc.src, text)
			}
			s, err := box.Session()
			if err != nil {
				b.Fatal(err)
			}
			if res, err = s.Run(b.Context(), sandtrap.Script{Text: leftTypes + tc.src}); err != nil {
				b.Fatal(err)
			}
			check("a cell", res.Vars["x"])
			s.Close()
		}
	})
}

// TestLeftErrorsReturned: so has what a function of the script returns to the host.
func TestLeftErrorsReturned(t *testing.T) {
	eachMode(t, func(b bench) {
		if !b.KeepsFuncs {
			return
		}
		res, err := b.RunOnce(pure(), leftTypes+`f := func() ([]error, error) { return []error{&E{1}}, V{"a", fmt.Errorf("w: %w", io.EOF)} }`)
		if err != nil {
			b.Fatal(err)
		}
		for range 2 {
			got, err := res.Func("f").Call(b.Context())
			if err != nil || len(got.Returned) != 2 || fmt.Sprint(got.Returned) != "[[e1] v a]" || !errors.Is(got.Returned[1].(error), io.EOF) {
				b.Fatalf("got %v, %v", got.Returned, err)
			}
		}
	})
}

// TestLeftErrorsLimited: asking them is part of the run, and of one that has not ended well they are not asked.
func TestLeftErrorsLimited(t *testing.T) {
	const loops = "type E struct{}\nfunc (E) Error() string { for {}; return \"\" }\nvar x error = E{}\ny := errors.Join(x, io.EOF)"
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("the interpreter gives host functions no errors of the script")
		}
		res, err := b.RunOnce(pure(), loops)
		if !errors.Is(err, sandtrap.KindTicks) || fmt.Sprint(res.Vars["x"]) != "(main.E)" || fmt.Sprint(res.Vars["y"]) != "(main.E)\nEOF" {
			b.Errorf("a method that loops: %v, and %v, %v", err, res.Vars["x"], res.Vars["y"])
		}
		res, err = b.RunOnce(pure(), leftTypes+`x := fmt.Errorf("w: %w", V{"a", io.EOF})
var y error = &E{1}
panic(y)`)
		if !errors.Is(err, sandtrap.KindPanic) || fmt.Sprint(res.Vars["x"], res.Vars["y"]) != "w: v a (*main.E)" {
			b.Errorf("a panic: %v, and %v, %v", err, res.Vars["x"], res.Vars["y"])
		}
		var into struct{ Err error }
		_, err = b.Box(pure()).Run(b.Context(), sandtrap.Script{Text: leftTypes + `return struct{ Err error }{V{"a", io.EOF}}`, Result: &into})
		if err != nil || into.Err == nil || into.Err.Error() != "v a" || !errors.Is(into.Err, io.EOF) {
			b.Errorf("a result: %v, %v", into.Err, err)
		}
	})
}
