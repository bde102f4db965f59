package sandtrap

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func loaded(t *testing.T, p *Plan, s Script) *compiled {
	t.Helper()
	inputs, err := p.inputs(s.Inputs)
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.load(s, inputs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCacheKeepsPrograms(t *testing.T) {
	plan, err := Compile(Policy{Engine: "vm"})
	if err != nil {
		t.Fatal(err)
	}
	first := loaded(t, plan, Script{Text: "x := 1", Inputs: map[string]any{"n": 1}})
	for _, tc := range []struct {
		name   string
		script Script
		same   bool
	}{
		{"another value", Script{Text: "x := 1", Inputs: map[string]any{"n": 2}}, true},
		{"another text", Script{Text: "x := 2", Inputs: map[string]any{"n": 1}}, false},
		{"another name", Script{Name: "y.go", Text: "x := 1", Inputs: map[string]any{"n": 1}}, false},
		{"another input", Script{Text: "x := 1", Inputs: map[string]any{"m": 1}}, false},
		{"no input", Script{Text: "x := 1"}, false},
		{"another type", Script{Text: "x := 1", Inputs: map[string]any{"n": "1"}}, false},
	} {
		if got := loaded(t, plan, tc.script) == first; got != tc.same {
			t.Errorf("%s: kept program used: %v, want %v", tc.name, got, tc.same)
		}
	}
}

func TestCacheIsBounded(t *testing.T) {
	plan, err := Compile(Policy{Engine: "vm"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range cachePrograms + 10 {
		loaded(t, plan, Script{Text: fmt.Sprintf("x := %d", i)})
	}
	if got := len(plan.cache.byKey); got != cachePrograms {
		t.Errorf("the cache holds %d programs, want %d", got, cachePrograms)
	}
	pad := strings.Repeat(" ", 200<<10)
	for i := range 10 {
		loaded(t, plan, Script{Text: fmt.Sprintf("x := %d //%s", i, pad)})
	}
	if got := plan.cache.source; got > cacheSource {
		t.Errorf("the cache holds %d bytes of source, want at most %d", got, cacheSource)
	}
	if a, b := len(plan.cache.byKey), len(plan.cache.recent); a != b {
		t.Errorf("%d programs, %d in order of use", a, b)
	}
}

// Runs of one program do not see each other.
func TestCacheConcurrentRuns(t *testing.T) {
	box, err := New(context.Background(), Policy{Engine: "vm", Std: []string{"fmt", "slices"}})
	if err != nil {
		t.Fatal(err)
	}
	text := "import \"fmt\"\nimport \"slices\"\ntype T struct{ n int }\nvar all []T\nfunc main() {\n" +
		"for i := range n { all = append(all, T{n - i}) }\nslices.SortFunc(all, func(a, b T) int { return a.n - b.n })\nfmt.Print(len(all), all[0])\n}\nmain()"
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			res, err := box.Run(context.Background(), Script{Text: text, Inputs: map[string]any{"n": i + 1}})
			if want := fmt.Sprintf("%d{1}", i+1); err != nil || strings.ReplaceAll(res.Stdout, " ", "") != want {
				t.Errorf("run %d: stdout %q, error %v; want %q", i, res.Stdout, err, want)
			}
		})
	}
	wg.Wait()
}
