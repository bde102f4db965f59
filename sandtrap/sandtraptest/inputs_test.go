package sandtraptest

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestInputsNamed: an input that no variable can be made of is an error of the call in each mode, and not one of
// the script or of a worker.
func TestInputsNamed(t *testing.T) {
	eachMode(t, func(b bench) {
		box := b.Box(pure())
		for name, value := range map[string]any{"bad name": 1, "func": 1, "_": 1, "": 1, "init": 1, "n": nil} {
			inputs := map[string]any{name: value}
			res, err := box.Run(b.Context(), sandtrap.Script{Text: "x := 1", Inputs: inputs})
			if _, told := errors.AsType[*sandtrap.Error](err); err == nil || told || res == nil || !strings.Contains(err.Error(), "input ") {
				b.Errorf("%q, %v: %v", name, value, err)
			}
		}
	})
}

// TestInputsShared: what inputs lead to is the host's own in its process, if it is not to be
// copied, and a copy elsewhere.
func TestInputsShared(t *testing.T) {
	for _, copied := range []bool{false, true} {
		t.Run(map[bool]string{false: "shared", true: "copied"}[copied], func(t *testing.T) {
			eachMode(t, func(b bench) {
				list, at, n := []int{1}, map[string]int{"a": 1}, new(1)
				res, err := b.Box(pure()).Run(b.Context(), sandtrap.Script{
					Text:   "list[0], at[\"a\"], *n = 2, 2, 2\nsum := list[0] + at[\"a\"] + *n",
					Inputs: map[string]any{"list": list, "at": at, "n": n}, Copy: copied,
				})
				if err != nil || res.Vars["sum"] != 6 {
					b.Fatal(res.Vars, err)
				}
				changed := list[0] == 2 && at["a"] == 2 && *n == 2
				same := list[0] == 1 && at["a"] == 1 && *n == 1
				if shared := !copied && b.Isolation == sandtrap.None; shared && !changed || !shared && !same {
					b.Errorf("the host has %v, %v, %v", list, at, *n)
				}
				want := map[string]any{"sum": 6}
				if copied {
					want = map[string]any{"sum": 6, "list": []int{2}, "at": map[string]int{"a": 2}, "n": res.Vars["n"]} // engines hand out what it points to, or a pointer
				}
				if !cmp.Equal(res.Vars, want) {
					b.Errorf("variables %v, want %v", res.Vars, want)
				}
			})
		})
	}
	box, err := sandtrap.New(t.Context(), pure())
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	script := sandtrap.Script{Text: "x := in", Inputs: map[string]any{"in": []any{1, make(chan int)}}, Copy: true}
	if _, err := box.Run(t.Context(), script); err == nil || !strings.Contains(err.Error(), "input in: ") || !strings.Contains(err.Error(), "[1]") {
		t.Errorf("what cannot be copied: %v", err)
	}
	if _, err := box.Check(t.Context(), script); err == nil {
		t.Error("it is checked")
	}
}

// TestVarsLeft: variables are there by their names; names that the host has registered are
// not, unless the script has declared them for itself.
func TestVarsLeft(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Funcs = map[string]any{"tool": func() int { return 1 }, "limit": 5, "other": func() {}}
		res, err := b.Box(p).Run(b.Context(), sandtrap.Script{
			Text: "print := 42\ntool := limit + 1\nin2 = in + 1", Inputs: map[string]any{"in": 1, "in2": 0, "in3": 3},
		})
		if want := map[string]any{"print": 42, "tool": 6, "in2": 2}; err != nil || !cmp.Equal(res.Vars, want) {
			b.Errorf("got %v, %v", res.Vars, err)
		}
	})
}

// TestHostStdout: what a function of the host writes to the host's own standard output goes
// there, and not into the Result.
func TestHostStdout(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Funcs = map[string]any{"shout": func() { os.Stdout.WriteString("past it all") }}
		var res *sandtrap.Result
		var err error
		real := hostOutput(b.T, func() { res, err = b.RunOnce(p, "fmt.Print(1)\nshout()\nfmt.Print(2)") })
		if err != nil || res.Stdout != "12" || real != "past it all" {
			b.Errorf("the result has %q, the host %q, %v", res.Stdout, real, err)
		}
	})
}
