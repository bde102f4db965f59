package sandtrap

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

func loaded(t *testing.T, p *Plan, s Script) *compiled {
	t.Helper()
	inputs := p.inputs(s.Inputs)
	c, err := p.load(gates.NewMeter(t.Context(), p.limits), key(s, inputs), s, inputs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestLoadStops: a run that has to end does not wait until its program is ready, and a session is
// as it was.
func TestLoadStops(t *testing.T) {
	plan, err := Compile(Policy{Engine: "vm"})
	if err != nil {
		t.Fatal(err)
	}
	over := gates.NewMeter(t.Context(), plan.limits)
	over.Cancel()
	s := Script{Text: "x := 1"}
	if _, err := plan.load(over, key(s, nil), s, nil, nil); err != error(over.Stopped()) || err == nil {
		t.Errorf("a plan: %v, want the stop", err)
	}
	box, err := plan.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	session, err := box.Session()
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	prog, err := session.scope.Compile(parse.Source{Name: "cell.go", Text: "func f() int { return 1 }"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := session.declare(prog, over); err != error(over.Stopped()) {
		t.Errorf("a session: %v, want the stop", err)
	}
	res, err := session.Run(t.Context(), Script{Text: "func f() int { return 2 }\ny := f()"})
	if err != nil || res.Vars["y"] != 2 {
		t.Errorf("then y is %v, %v", res.Vars["y"], err)
	}
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
	long := strings.Repeat("x += x*x - 1\n", 5_000)
	for i := range 10 {
		loaded(t, plan, Script{Text: fmt.Sprintf("x := %d\n%s", i, long)})
	}
	if got := plan.cache.bytes; got > cacheBytes || len(plan.cache.byKey) > 10 {
		t.Errorf("the cache holds %d programs of %d bytes, want at most %d", len(plan.cache.byKey), got, cacheBytes)
	}
	if a, b := len(plan.cache.byKey), plan.cache.recent.Len(); a != b {
		t.Errorf("%d programs, %d in order of use", a, b)
	}
}

// TestRetained compares what a program is taken for with what it takes.
func TestRetained(t *testing.T) {
	plan, err := Compile(Policy{Engine: "vm", Std: []string{"fmt"}})
	if err != nil {
		t.Fatal(err)
	}
	loaded(t, plan, Script{Text: "fmt.Println()"})
	for _, line := range []string{"x += 1\n", "fmt.Println(x, 1)\n"} {
		before := heapInUse()
		c := loaded(t, plan, Script{Text: "x := 1\n" + strings.Repeat(line, 5_000)})
		took := heapInUse() - before
		if took > 3*int64(c.bytes)/2 || took < int64(c.bytes)/6 {
			t.Errorf("%q: taken for %d bytes, takes %d", line, c.bytes, took)
		}
		runtime.KeepAlive(c)
	}
}

func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
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
