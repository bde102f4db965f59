package sandtrap

import (
	"math"
	"reflect"
	"testing"

	"github.com/sandtrap-go/sandtrap/gates"
)

const roots = "package main\n\nimport (\n\t\"fmt\"\n\t\"math\"\n)\n\nfunc main() {\n\tfor i := range 4 {\n\t\tfmt.Print(math.Sqrt(float64(i*i)), \" \")\n\t}\n}\n"

// TestBoundMember: what the engine does itself of the host's it does only where the run has bound
// it to just that; else each call is one of what the run has bound.
func TestBoundMember(t *testing.T) {
	calls := 0
	for _, tc := range []struct {
		name  string
		bound func(float64) float64
		want  string
		calls int
	}{
		{"itself", math.Sqrt, "0 1 2 3 ", 0},
		{"another", func(x float64) float64 { calls++; return x + 0.5 }, "0.5 1.5 4.5 9.5 ", 4},
		{"around it", func(x float64) float64 { calls++; return math.Sqrt(x) }, "0 1 2 3 ", 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			plan, err := Compile(Policy{Engine: "vm", Std: []string{"fmt", "math"}})
			if err != nil {
				t.Fatal(err)
			}
			box, err := plan.New(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			calls = 0
			if got := runBound(t, box, tc.bound); got != tc.want || calls != tc.calls {
				t.Errorf("printed %q in %d calls, want %q in %d", got, calls, tc.want, tc.calls)
			}
		})
	}
}

// runBound runs roots with math.Sqrt bound to f.
func runBound(t *testing.T, box *Sandbox, f func(float64) float64) string {
	s := Script{Text: roots}
	r := box.newRun(t.Context(), box.newRunEnv(false), s, nil)
	prog, err := box.plan.load(r.meter, key(s, nil), s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.env.begin(r)
	defer r.env.end()
	bound := gates.NewBind(len(prog.prog.Bindings()))
	for _, b := range prog.prog.Bindings() {
		if b.Name == "Sqrt" {
			err = bound.Func(b.Index, reflect.ValueOf(f))
		} else {
			err = box.plan.bindOne(bound, b, r.env.Env, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if out := prog.loaded.Run(r.given(bound, false)); !out.Well() {
		t.Fatalf("the run ended with %+v", out)
	}
	return r.stdout.String()
}
