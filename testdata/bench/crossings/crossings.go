// Package crossings measures calls from scripts into Go and back, and what a sandbox takes that does nothing.
package crossings

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A crossing is a script that does something n times. A loop with nothing else in it takes 2 ns a time, which is
// not taken off.
type crossing struct {
	what, want string
	n          int
	text       string
}

const calls = 100_000

// loop does one thing often.
func loop(what, want, before, each string) crossing {
	return crossing{what, want, calls, before + "\nfor i := range " + fmt.Sprint(calls) + " { _ = i; " + each + " }"}
}

// sorter is a type of the script's with the methods of sort.Interface.
const sorter = `type list []int
func (l list) Len() int { return len(l) }
func (l list) Less(i, j int) bool { return l[i] < l[j] }
func (l list) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
`

var list = []crossing{
	loop("`unicode.IsSpace`", "60 ns", "n := 0", "if unicode.IsSpace(rune(i)) { n++ }"),
	loop("`utf8.RuneLen`", "60 ns", "n := 0", "n += utf8.RuneLen(rune(i))"),
	loop("`bytes.IndexByte` in 5 bytes", "60 ns", "n, b := 0, []byte(\"hello\")", "n += bytes.IndexByte(b, 'o')"),
	loop("`time.Duration.Seconds`", "60 ns", "n := 0.0", "n += time.Duration(i).Seconds()"),
	loop("`(*rand.Rand).Float64`", "60 ns", "n, r := 0.0, rand.New(rand.NewSource(1))", "n += r.Float64()"),
	loop("`(*rand.Rand).Intn`", "60 ns", "n, r := 0, rand.New(rand.NewSource(1))", "n += r.Intn(10)"),
	loop("`time.Now`, and `IsZero` of it", "120 ns", "n := 0", "if time.Now().IsZero() { n++ }"),
	loop("`reflect.Value.Kind`", "100 ns", "n, v := 0, reflect.ValueOf(1)", "if v.Kind() == reflect.Int { n++ }"),
	{"a function of the script that one of the host calls", "500 ns", calls, "n := 0; each(" + fmt.Sprint(calls) + ", func(i int) { n += i })"},
	loop("a function of the host: a context and a struct to a struct and an error", "600 ns", "p := origin()", "p, _ = moved(p)"),
	{"`sort.Sort` of 20,000", "25 ms", 1, sorter + "l, x := make(list, 20000), 1; for i := range l { x = (x*1103515245 + 12345) & 0x7fffffff; l[i] = x }; sort.Sort(l)"},
	{"`container/heap`, 50,000 in and out", "250 ms", 1, sorter +
		"func (l *list) Push(x any) { *l = append(*l, x.(int)) }\nfunc (l *list) Pop() any { o := *l; x := o[len(o)-1]; *l = o[:len(o)-1]; return x }\n" +
		"h, n := &list{}, 0; for i := range 50000 { heap.Push(h, i*7919%50000) }; for h.Len() > 0 { n += heap.Pop(h).(int) }"},
	{"`container/list`, 100,000 put and read", "60 ms", 1, "l, n := list.New(), 0; for i := range 100000 { l.PushBack(i) }; for e := l.Front(); e != nil; e = e.Next() { n += e.Value.(int) }"},
}

// A Point is a struct of the host's.
type Point struct{ X, Y int }

func policy() sandtrap.Policy {
	return sandtrap.Policy{
		Std:    sandtrap.StdDefault(),
		Limits: sandtrap.Limits{Timeout: time.Minute, Ticks: math.MaxInt64 / 2, Memory: 1 << 30},
		Funcs: map[string]any{
			"each":   func(n int, f func(int)) { forEach(n, f) },
			"origin": func() Point { return Point{} },
			"moved":  func(_ context.Context, p Point) (Point, error) { p.X++; return p, nil },
		},
	}
}

func forEach(n int, f func(int)) {
	for i := range n {
		f(i)
	}
}

// Table measures with the clock of processor time, and is the table as Markdown.
func Table(clock func() time.Duration, rounds int) (string, error) {
	b := &strings.Builder{}
	b.WriteString("\n## Calls into Go and back\n\nProcessor time of one, median of " + fmt.Sprint(rounds) +
		" runs after one to warm up, in process; and bytes of the heap.\n\n| | takes | goal |\n|---|---:|---:|\n")
	box, err := sandtrap.New(context.Background(), policy())
	if err != nil {
		return "", err
	}
	defer box.Close()
	for _, c := range list {
		var took []time.Duration
		for range rounds + 1 {
			start := clock()
			if _, err := box.Run(context.Background(), sandtrap.Script{Text: c.text}); err != nil {
				return "", fmt.Errorf("%s: %w", c.what, err)
			}
			took = append(took, clock()-start)
		}
		took = took[1:]
		slices.Sort(took)
		fmt.Fprintf(b, "| %s | %s | %s |\n", c.what, rounded(took[len(took)/2]/time.Duration(c.n)), c.want)
	}
	for _, idle := range []struct {
		what, want string
		open       func() (any, error)
	}{
		{"a sandbox that has run hello, of a plan of its own", "24 KiB", func() (any, error) {
			box, err := sandtrap.New(context.Background(), policy())
			if err == nil {
				_, err = box.Run(context.Background(), sandtrap.Script{Text: `fmt.Println("hello")`})
			}
			return box, err
		}},
		{"a session of three cells, of a plan that is there", "12 KiB", func() (any, error) {
			s, err := box.Session()
			for _, text := range []string{"x := 1", "func f() int { return x }", "f()"} {
				if err == nil {
					_, err = s.Run(context.Background(), sandtrap.Script{Text: text})
				}
			}
			return s, err
		}},
	} {
		size, err := each(500, idle.open)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(b, "| %s | %.1f KiB | %s |\n", idle.what, float64(size)/(1<<10), idle.want)
	}
	return b.String(), nil
}

// rounded is a time of three digits.
func rounded(d time.Duration) string {
	if d > time.Millisecond {
		return d.Round(100 * time.Microsecond).String()
	}
	return d.String()
}

// each is how many bytes of the heap one of n things takes.
func each(n int, open func() (any, error)) (int64, error) {
	var kept []any
	one, err := open() // what is made once
	before := heap()
	for range n {
		if err != nil {
			return 0, err
		}
		var o any
		o, err = open()
		kept = append(kept, o)
	}
	size := (heap() - before) / int64(n)
	runtime.KeepAlive(kept)
	runtime.KeepAlive(one)
	return size, err
}

func heap() int64 {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
