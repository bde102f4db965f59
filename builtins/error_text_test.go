package builtins

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// nested makes errors whose text doubles with each level.
func nested(levels int) map[string]error {
	joined := errors.New(strings.Repeat("x", 1<<10))
	paths := joined
	for range levels {
		joined = errors.Join(joined, joined)
		paths = &fs.PathError{Op: "open", Path: "x", Err: errors.Join(paths, paths)}
	}
	return map[string]error{"joined": joined, "in paths": paths}
}

// TestErrorTextsAreCharged wants the text of errors that hold others to be refused
// before it is made, however it is asked for.
func TestErrorTextsAreCharged(t *testing.T) {
	table := tableOf(t, Std()...)
	for name, err := range nested(30) {
		for way, ask := range map[string]func(e *Env){
			"Error": func(e *Env) {
				table.Serve(e)
				f, _ := e.Method(reflect.TypeOf(err), "Error")
				f.Call([]reflect.Value{reflect.ValueOf(err)})
			},
			"printed": func(e *Env) {
				value[func(...any) string](t, e, Ref{Kind: abi.BindFunc, Path: "fmt", Name: "Sprint"})(err)
			},
			"in a list": func(e *Env) {
				value[func(...any) string](t, e, Ref{Kind: abi.BindFunc, Path: "fmt", Name: "Sprint"})([]any{1, err})
			},
			"wrapped": func(e *Env) {
				_ = value[func(string, ...any) error](t, e, Ref{Kind: abi.BindFunc, Path: "fmt", Name: "Errorf"})("%w", err)
			},
		} {
			if p := shimtest.Outcome(func() { ask(shimtest.Limited(1 << 20)) }); p != shimtest.ErrRefused {
				t.Errorf("%s, %s: got panic %v, want the charge refused", name, way, p)
			}
		}
	}
}

// TestErrorTextsAreMeasured wants the measure to be no less than the text.
func TestErrorTextsAreMeasured(t *testing.T) {
	for name, err := range nested(5) {
		m := shim.Measure{Env: &Env{}}
		if n := m.ErrorText(err); n < int64(len(err.Error())) || n > 2*int64(len(err.Error())) {
			t.Errorf("%s: measured %d, the text has %d", name, n, len(err.Error()))
		}
	}
	if got := fmt.Sprint(nested(1)["joined"]); strings.Count(got, "x") != 2<<10 {
		t.Errorf("the text has %d bytes", len(got))
	}
}

// TestJoinedTexts: the text of joined errors is Go's, whatever is joined.
func TestJoinedTexts(t *testing.T) {
	table := tableOf(t, Std()...)
	a, b := errors.New("a"), errors.New("b\nc")
	for _, err := range []error{
		errors.Join(a), errors.Join(a, nil, b), errors.Join(errors.Join(a, b), errors.Join(b, errors.Join(a))), errors.Join(errors.New(""), a, errors.New("")),
		errors.Join(fmt.Errorf("x: %w", errors.Join(a, b)), &fs.PathError{Op: "open", Path: "p", Err: errors.Join(b, a)}), nested(5)["joined"],
	} {
		e := &Env{}
		table.Serve(e)
		f, _ := e.Method(reflect.TypeOf(err), "Error")
		if got := f.Call([]reflect.Value{reflect.ValueOf(err)})[0].String(); got != err.Error() {
			t.Errorf("got %q, want %q", got, err.Error())
		}
	}
}
