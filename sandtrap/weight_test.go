package sandtrap_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

type weighed struct{ X, Y int }

// TestWeights: bytes of the heap that one of many idle things takes.
func TestWeights(t *testing.T) {
	if machine.Raced {
		t.Skip("the race detector makes things larger")
	}
	run := func(p sandtrap.Policy, text string) (any, error) {
		box, err := sandtrap.New(context.Background(), p)
		if err == nil && text != "" {
			_, err = box.Run(context.Background(), sandtrap.Script{Text: text})
		}
		return box, err
	}
	const hello = `fmt.Println("hello")`
	for _, w := range []struct {
		what  string
		bytes int64
		open  func() (any, error)
	}{
		{"a plan with package fmt, and hello", 11 << 10, func() (any, error) {
			return run(sandtrap.Policy{Std: []string{"fmt"}}, hello)
		}},
		{"a plan with the default packages", 4 << 10, func() (any, error) {
			return run(sandtrap.Policy{Std: sandtrap.StdDefault()}, "")
		}},
		{"the same, and hello", 13 << 10, func() (any, error) {
			return run(sandtrap.Policy{Std: sandtrap.StdDefault()}, hello)
		}},
		{"the same with functions of the host's", 19 << 10, func() (any, error) {
			return run(sandtrap.Policy{Std: sandtrap.StdDefault(), Funcs: map[string]any{
				"each":   func(int, func(int)) {},
				"origin": func() weighed { return weighed{} },
				"moved":  func(_ context.Context, p weighed) (weighed, error) { return p, nil },
			}}, hello)
		}},
		{"a session of three cells", 23 << 10, threeCells(t)},
	} {
		if got := weigh(t, 300, w.open); got > w.bytes {
			t.Errorf("%s: %d bytes, more than %d", w.what, got, w.bytes)
		} else {
			t.Logf("%s: %d bytes", w.what, got)
		}
	}
}

// threeCells opens sessions of one plan, each with three cells.
func threeCells(t *testing.T) func() (any, error) {
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{Std: sandtrap.StdDefault()})
	if err != nil {
		t.Fatal(err)
	}
	return func() (any, error) {
		s, err := box.Session()
		for _, text := range []string{"x := 1", "func f() int { return x }", "f()"} {
			if err == nil {
				_, err = s.Run(context.Background(), sandtrap.Script{Text: text})
			}
		}
		return s, err
	}
}

// weigh is how many bytes of the heap one of n takes.
func weigh(t *testing.T, n int, open func() (any, error)) int64 {
	kept := make([]any, n+1)
	before := int64(0)
	for i := range kept {
		if i == 1 { // without what is made once
			before = heapBytes()
		}
		var err error
		if kept[i], err = open(); err != nil {
			t.Fatal(err)
		}
	}
	size := (heapBytes() - before) / int64(n)
	runtime.KeepAlive(kept)
	return size
}

// heapBytes is how large the heap is, without what nothing refers to.
func heapBytes() int64 {
	var m runtime.MemStats
	for range 3 { // weak pointers and cleanups take a second
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
