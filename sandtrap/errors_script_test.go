package sandtrap_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestErrorsOfScripts: package errors finds in an error of a script what its methods say, and nothing where the script has
// none of them, or others of that name.
func TestErrorsOfScripts(t *testing.T) {
	const types = `
type plain struct{}
func (plain) Error() string { return "plain" }
type is struct{ plain }
func (is) Is(e error) bool { return e == io.EOF }
type otherIs struct{ plain }
func (otherIs) Is(x int) bool { return true }
type as struct{ plain }
func (as) As(v any) bool {
	p, ok := v.(**fs.PathError)
	if ok { *p = &fs.PathError{Op: "op"} }
	return ok
}
type one struct{ plain }
func (one) Unwrap() error { return io.EOF }
type many struct{ plain }
func (many) Unwrap() []error { return []error{io.ErrNoProgress, io.EOF} }
type text struct{ plain }
func (text) String() string { return "text" }
type late struct{ one }
func (late) Timeout() bool { return true }
`
	for made, want := range map[string]struct{ is, as, timeout bool }{
		"plain{}": {}, "is{}": {is: true}, "otherIs{}": {}, "as{}": {as: true}, "one{}": {is: true}, "many{}": {is: true},
		"text{}": {}, "late{}": {is: true, timeout: true}, "&plain{}": {}, "&one{}": {is: true},
	} {
		called := false
		box, err := sandtrap.New(context.Background(), sandtrap.Policy{Std: []string{"io", "io/fs"}, Funcs: map[string]any{
			"take": func(err error) {
				called = true
				var path *fs.PathError
				var late interface{ Timeout() bool }
				if got := errors.Is(err, io.EOF); got != want.is {
					t.Errorf("%s is io.EOF: %v", made, got)
				}
				if got := errors.As(err, &path); got != want.as || got && path.Op != "op" {
					t.Errorf("%s as a PathError: %v, %v", made, got, path)
				}
				if got := errors.As(err, &late) && late.Timeout(); got != want.timeout {
					t.Errorf("%s is a timeout: %v", made, got)
				}
				if got := errors.Unwrap(err); (got != nil) != (made == "one{}" || made == "&one{}" || made == "late{}") {
					t.Errorf("%s unwraps to %v", made, got)
				}
			},
		}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := box.Run(context.Background(), sandtrap.Script{Text: types + "take(" + made + ")"}); err != nil || !called {
			t.Errorf("%s: %v", made, err)
		}
	}
}
