package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A host calls functions of its scripts from goroutines of its own. It waits for them when the test
// wants to know that they are done.
type visiting struct {
	sync.WaitGroup
	mu   sync.Mutex
	kept []func(int) int
}

func (h *visiting) keep(f func(int) int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept = append(h.kept, f)
}

func (h *visiting) last() func(int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.kept[len(h.kept)-1]
}

const (
	visitors = 4
	times    = 50
)

func (h *visiting) funcs(t *testing.T) map[string]any {
	linger := func(see func()) { // as long as who could get in would take
		for range 200 {
			see()
			time.Sleep(10 * time.Microsecond)
		}
	}
	return map[string]any{
		"keep": h.keep,
		"each": func(n int, f func(int) int) (sum int) {
			for i := range n {
				sum += f(i)
			}
			return sum
		},
		"here": func(n int) (sum int) { // calls what was kept
			for i := range n {
				sum += h.last()(i)
			}
			return sum
		},
		// start has goroutines call f, times each, and returns at once.
		"start": func(f func(int) int) {
			for range visitors {
				h.Go(func() {
					for i := range times {
						f(i)
					}
				})
			}
		},
		"wait":   sandtrap.Member{Value: h.Wait, Blocking: true},
		"beside": sandtrap.Member{Value: func(f func(int) int) int { return f(1) }, Blocking: true},
		"both": func(f func(int) int) (sum int) { // calls f here while a goroutine does
			began := make(chan bool)
			h.Go(func() {
				close(began)
				for i := range times {
					if got := f(i); got != 2*i {
						t.Errorf("a visit got %d, want %d", got, 2*i)
					}
				}
			})
			<-began
			for i := range times {
				if got := f(-i); got != -2*i {
					t.Errorf("a callback got %d, want %d", got, -2*i)
				}
			}
			return sum
		},
		// list and table are given memory of the script's, and look at it while goroutines want to call f.
		"list": func(l []int, f func(int) int) (sum int) {
			h.Go(func() { f(1) })
			linger(func() { sum += l[0] })
			return sum
		},
		"table": func(m map[string]int) (n int) {
			h.Go(func() { h.last()(1) })
			linger(func() {
				for range m {
					n++
				}
			})
			return n
		},
	}
}

// TestVisitors: whoever calls a function of the script, and whenever, it is called as often as it was, on one
// goroutine at a time, and not while a function of the host has the script's memory. The race detector has
// more to say.
func TestVisitors(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"on the goroutine of the call", "fmt.Print(each(50, func(i int) int { return i }))", "1225"},
		{"from goroutines, after the call", "n := 0\nstart(func(int) int { n++; return n })\nwait()\nfmt.Print(n)", "200"},
		{"from goroutines and the script at a time", "n, m := 0, 0\nstart(func(int) int { n++; return n })\nfor range 2000 { m++ }\nwait()\nfmt.Print(n, m)", "200 2000"},
		{"from goroutines while others are called back", "n, m := 0, 0\nstart(func(int) int { n++; return n })\nfor range 100 { each(5, func(int) int { m++; return m }) }\nwait()\nfmt.Print(n, m)", "200 500"},
		{"one function from two goroutines at a time", "both(func(i int) int { return 2*i })\nwait()\nfmt.Print(1)", "1"},
		{"kept, on the goroutine of another call", "n := 0\nkeep(func(i int) int { n += i; return n })\nfmt.Print(here(5))", "20"},
		{"not while the host reads a list", "l := []int{0}\nfmt.Print(list(l, func(int) int { l[0]++; return 0 }))\nwait()\nfmt.Print(\" \", l[0])", "0 1"},
		{"not while the host reads a map", "m := map[string]int{\"a\": 1}\nkeep(func(int) int { m[\"b\"]++; return 0 })\nfmt.Print(table(m))\nwait()\nfmt.Print(\" \", len(m))", "200 2"},
		{"to a channel that is read when the call has returned", "c := make(chan int)\nstart(func(i int) int { c <- i; return 0 })\ngo wait()\nsum := 0\nfor range 200 { sum += <-c }\nfmt.Print(sum)", "4900"},
		{"waiting for another goroutine of the script", "c := make(chan int)\ngo func() { for i := range 50 { c <- i } }()\nfmt.Print(each(50, func(int) int { return <-c }))", "1225"},
		{"in each other, on goroutines in turn", "n := 0\nvar f func(int) int\nf = func(i int) int { n++; switch { case i > 6: return i; case i%2 == 0: return each(1, func(int) int { return f(i+1) }) }; return beside(func(int) int { return f(i+1) }) }\nfmt.Print(f(0), n)", "7 8"},
		{"that the script stops waiting for", "c := make(chan int)\nstart(func(i int) int { <-c; return 0 })\nclose(c)\nwait()\nfmt.Print(1)", "1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for range 10 {
				h := &visiting{}
				p := sandtrap.Policy{Std: []string{"fmt"}, Funcs: h.funcs(t), Limits: sandtrap.Limits{Timeout: 20 * time.Second}}
				box, err := sandtrap.New(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				res, err := box.Run(t.Context(), sandtrap.Script{Text: "package main\nimport \"fmt\"\nfunc main() {\n" + tc.body + "\n}"})
				if err != nil || res.Stdout != tc.want {
					t.Errorf("got %q, %v, want %q", res.Stdout, err, tc.want)
				}
				h.Wait()
				box.Close()
			}
		})
	}
}

// TestVisitorsAtTheEnd: a run that ends while goroutines of the host call the script, or wait for that, ends
// soon, and they get away.
func TestVisitorsAtTheEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for _, tc := range []struct {
		name, body string
		want       error
	}{
		{"by itself", "start(func(int) int { return 0 })", nil},
		{"while they wait for the script", "c := make(chan int)\nstart(func(int) int { return <-c })\ntime.Sleep(time.Millisecond)", nil},
		{"by its time", "start(func(int) int { return 0 })\nfor {}", sandtrap.KindTimeout},
		{"by its time, in one of them", "start(func(int) int { for {} })\nwait()", sandtrap.KindTimeout},
		{"by its time, in a callback", "start(func(int) int { return 0 })\neach(1, func(int) int { for {} })", sandtrap.KindTimeout},
		{"by its time, in a callback that waits", "start(func(int) int { return 0 })\neach(1, func(int) int { select { case <-time.After(time.Hour): }; return 0 })", sandtrap.KindTimeout},
		{"by a panic in one of them", "start(func(int) int { panic(1) })\nwait()", sandtrap.KindPanic},
		{"by a panic", "start(func(int) int { return 0 })\npanic(1)", sandtrap.KindPanic},
		{"by a panic in a callback", "start(func(int) int { return 0 })\neach(1, func(int) int { panic(1) })", sandtrap.KindPanic},
		{"by its exit", "start(func(int) int { return 0 })\neach(1, func(int) int { os.Exit(3); return 0 })", sandtrap.KindExit},
		{"by a deadlock in a callback", "each(1, func(int) int { select {} })", sandtrap.KindDeadlock},
		{"by a deadlock after them", "n := 0\nstart(func(int) int { n++; return n })\nwait()\nif n == 200 { select {} }", sandtrap.KindDeadlock},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for range 5 {
				h := &visiting{}
				p := sandtrap.Policy{Std: []string{"time", "os"}, Funcs: h.funcs(t), Limits: sandtrap.Limits{Timeout: 50 * time.Millisecond}}
				if tc.want != sandtrap.KindTimeout {
					p.Limits.Timeout = 20 * time.Second
				}
				box, err := sandtrap.New(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				_, err = box.Run(t.Context(), sandtrap.Script{Text: "package main\nimport (\"os\"; \"time\")\nvar _, _ = os.Exit, time.Now\nfunc main() {\n" + tc.body + "\n}"})
				if !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
					t.Errorf("error %v, want %v", err, tc.want)
				}
				h.Wait()
				box.Close()
			}
		})
	}
}

// TestVisitorsOfOthers: a function of one script that its host gives to other scripts is called on the goroutines
// of those, while it is called back itself.
func TestVisitorsOfOthers(t *testing.T) {
	run := func(ctx context.Context, f func(int) int, text string) (string, error) {
		box, err := sandtrap.New(ctx, sandtrap.Policy{Std: []string{"fmt"}, Funcs: map[string]any{
			"other": f,
			"each": func(n int, f func(int) int) (sum int) {
				for i := range n {
					sum += f(i)
				}
				return sum
			},
		}})
		if err != nil {
			return "", err
		}
		defer box.Close()
		res, err := box.Run(ctx, sandtrap.Script{Text: text})
		return res.Stdout, err
	}
	const inner = "n := 0\nfmt.Print(each(10, func(i int) int { n++; return other(i) }), n)"
	within := func(ctx context.Context, f func(int) int) (string, error) { return run(ctx, f, inner) }
	apart := func(ctx context.Context, f func(int) int) (string, error) {
		var wg sync.WaitGroup
		var outs [3]string
		var errs [3]error
		for i := range outs {
			wg.Go(func() { outs[i], errs[i] = run(ctx, f, inner) })
		}
		wg.Wait()
		return fmt.Sprint(outs), errors.Join(errs[:]...)
	}
	for name, tc := range map[string]struct {
		call any
		want string
	}{
		"one at a time":   {sandtrap.Member{Value: within, Blocking: true}, "45 10 10"},
		"three at a time": {sandtrap.Member{Value: apart, Blocking: true}, "[45 10 45 10 45 10] 30"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 5 {
				box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: []string{"fmt"}, Funcs: map[string]any{"call": tc.call}})
				if err != nil {
					t.Fatal(err)
				}
				res, err := box.Run(t.Context(), sandtrap.Script{Text: "n := 0\ntext, err := call(func(i int) int { n++; return i })\nif err != nil { panic(err) }\nfmt.Print(text, \" \", n)"})
				if err != nil || res.Stdout != tc.want {
					t.Errorf("got %q, %v, want %q", res.Stdout, err, tc.want)
				}
				box.Close()
			}
		})
	}
}
