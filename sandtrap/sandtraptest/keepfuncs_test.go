package sandtraptest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// plugin is a program that a host calls by the names of its functions.
const plugin = `package main

import "fmt"

var ticks int

func init() { ticks = 10 }

// OnTick counts.
func OnTick(by int) int { ticks += by; return ticks }

func Greet(name string) (string, error) {
	if name == "" { return "", fmt.Errorf("nobody after %d", ticks) }
	return "hello " + name, nil
}

func Generic[T any](v T) T { return v }

type T struct{}

func (T) Method() {}

func main() { OnTick(1) }
`

// TestFuncsAsked: functions that a script declares can be called by their names when the run is over, of programs and
// of snippets, in each mode, and find what the run has left; only those that were asked for are there.
func TestFuncsAsked(t *testing.T) {
	eachKeeping(t, func(b bench) {
		box := b.Box(pure())
		snippet := strings.NewReplacer("package main\n", "", "func main() { OnTick(1) }", "OnTick(1)", "func init() { ticks = 10 }", "ticks = 10").Replace(plugin)
		for form, text := range map[string]string{"program": plugin, "snippet": snippet} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: text, Funcs: []string{"OnTick", "Greet"}})
			if err != nil {
				b.Fatal(form, err)
			}
			if got := res.Types["OnTick"]; got != "func(by int) int" {
				b.Errorf("%s: the type is %s", form, got)
			}
			for i, want := range []int{13, 15} {
				if got, err := res.Func("OnTick").Call(b.Context(), 2); err != nil || !cmp.Equal(got.Returned, []any{want}) {
					b.Errorf("%s, call %d: %v, %v", form, i, got.Returned, err)
				}
			}
			got, err := res.Func("Greet").Call(b.Context(), "ann")
			if err != nil || got.Returned[0] != "hello ann" || got.Returned[1] != nil {
				b.Errorf("%s: %v, %v", form, got.Returned, err)
			}
			got, err = res.Func("Greet").Call(b.Context(), "")
			if failed, _ := got.Returned[1].(error); err != nil || failed == nil || failed.Error() != "nobody after 15" {
				b.Errorf("%s: %v, %v", form, got.Returned, err)
			}
			if res, err := res.Func("none").Call(b.Context()); res == nil || err == nil {
				b.Errorf("%s: a call of no function: %v, %v", form, res, err)
			}
			if res.Func("main") != nil || res.Func("ticks") != nil || res.Func("none") != nil {
				b.Errorf("%s: more functions: %v", form, res.Vars)
			}
			res, err = box.Run(b.Context(), sandtrap.Script{Text: text})
			if _, there := res.Vars["OnTick"]; err != nil || there {
				b.Errorf("%s: it is there without being asked for: %v, %v", form, res.Vars, err)
			}
		}
		res, err := box.Run(b.Context(), sandtrap.Script{Text: "OnTick := func() int { return 3 }", Funcs: []string{"OnTick"}})
		if err != nil {
			b.Fatal(err)
		}
		if got, err := res.Func("OnTick").Call(b.Context()); err != nil || !cmp.Equal(got.Returned, []any{3}) {
			b.Errorf("a variable: %v, %v", got.Returned, err)
		}
	})
}

// TestFuncsMissing: a script that does not declare what its host calls is refused, and nothing of it runs.
func TestFuncsMissing(t *testing.T) {
	eachKeeping(t, func(b bench) {
		box := b.Box(pure())
		for _, name := range []string{"OnTock", "Generic", "T", "Method", "ticks", "init", "", "__st_k0"} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: `fmt.Println("ran")` + "\n" + strings.Replace(plugin[len("package main\n"):], "func main() { OnTick(1) }", "", 1), Funcs: []string{name}})
			if !errors.Is(err, sandtrap.KindContract) || !errors.Is(err, sandtrap.ErrRefused) || res.Stdout != "" {
				b.Errorf("%q: %q, %v", name, res.Stdout, err)
			}
		}
		var n int
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: "1", Funcs: []string{"f"}, Result: &n}); err == nil || !strings.Contains(err.Error(), "Script.Funcs") {
			b.Errorf("with Result: %v", err)
		}
	})
	eachSession(t, func(b bench) {
		if _, err := b.Session(pure()).Run(context.Background(), sandtrap.Script{Text: "1", Funcs: []string{"f"}}); err == nil || !strings.Contains(err.Error(), "f := OnTick") {
			b.Errorf("in a session: %v", err)
		}
	})
}
