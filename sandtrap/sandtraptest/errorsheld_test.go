package sandtraptest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestErrorsHandedOut: the host can print whatever errors a run leaves: those that hold
// themselves, and those with texts without end, are hidden, wherever they lie.
func TestErrorsHandedOut(t *testing.T) {
	const loop = "e := &strconv.NumError{Func: \"x\", Num: \"y\"}\ne.Err = e\n"
	for name, src := range map[string]string{
		"itself":         loop + "x := error(e)",
		"pointer":        loop + "x := e",
		"value":          loop + "x := *e",
		"pointer to it":  loop + "x := &e",
		"list":           loop + "x := []error{e}",
		"array of any":   loop + "x := [1]any{e}",
		"list of it":     loop + "x := []*strconv.NumError{e}",
		"map":            loop + "x := map[string]any{\"e\": e}",
		"key":            loop + "x := map[error]int{e: 1}",
		"struct":         loop + "type T struct{ E error }\nx := T{e}",
		"embedded":       "e := &fs.PathError{Op: \"x\"}\ne.Err = e\ntype T struct{ *fs.PathError }\nx := &T{e}",
		"wrapped":        "a, b := &fs.PathError{Op: \"a\"}, &url.Error{Op: \"b\"}\na.Err, b.Err = b, a\nx := []error{a}",
		"text of a text": "s := strings.Repeat(\"x\", 10_000)\nvar x error = io.EOF\nfor range 2000 { x = &fs.PathError{Op: s, Path: \"y\", Err: x} }",
		"result":         loop + "x := func() error { return e }",
	} {
		t.Run(name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if !b.BoundsVars {
					return
				}
				res, err := b.RunOnce(pure(), src)
				if err != nil {
					b.Fatal(err)
				}
				x, ok := res.Vars["x"]
				if f, isFunc := x.(*sandtrap.Func); isFunc {
					called, err := f.Call(b.Context())
					if err != nil || len(called.Returned) != 1 {
						b.Fatal(called, err)
					}
					x = called.Returned[0]
				}
				if text := fmt.Sprintf("%v %+v", x, x); !ok || len(text) > 1000 || !strings.Contains(text, "(") {
					b.Errorf("%T of %d bytes: %.100s", x, len(text), text)
				}
			})
		})
	}
}

// TestErrorsOfGo: errors of types of Go's are of these for the other process too, with what they
// hold; one that cannot say what it is ends nobody.
func TestErrorsOfGo(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Funcs = map[string]any{
			"parse": strconv.ParseInt,
			"open": func() error {
				return fmt.Errorf("opened: %w", &fs.PathError{Op: "open", Path: "p", Err: fs.ErrNotExist})
			},
			"is": func(err error) string {
				var pe *fs.PathError
				return fmt.Sprint(errors.As(err, &pe) && pe.Path == "q", errors.Is(err, io.EOF))
			},
		}
		res, err := b.RunOnce(p, `
_, err := parse("12x", 10, 64)
var ne *strconv.NumError
fmt.Println(errors.As(err, &ne) && ne.Num == "12x", errors.Is(err, strconv.ErrSyntax), err)
err = open()
var pe *fs.PathError
fmt.Println(errors.As(err, &pe) && pe.Path == "p", errors.Is(err, fs.ErrNotExist), err)
fmt.Println(is(fmt.Errorf("w: %w", &fs.PathError{Op: "x", Path: "q", Err: io.EOF})))
err = nil
var none *fs.PathError
deep := error(none)
mute := []error{&strconv.NumError{}}`)
		if b.RefusedByEngine(res) {
			return
		}
		want := "true true strconv.ParseInt: parsing \"12x\": invalid syntax\ntrue true opened: open p: file does not exist\ntrue true\n"
		if err != nil || res.Stdout != want {
			b.Errorf("got %q, %v, want %q", res.Stdout, err, want)
		}
		if _, ok := res.Vars["ne"].(*strconv.NumError); !ok {
			b.Errorf("the host gets a %T", res.Vars["ne"])
		}
	})
}
