package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// A shelf is an interface of the host's that scripts implement.
type shelf interface {
	Put(name string) error
	Size() int
	Label() string
}

type shelfOf struct{ sandtrap.Value }

func (s shelfOf) Put(name string) error { err, _ := s.Call("Put", name)[0].(error); return err }
func (s shelfOf) Size() int             { return s.Call("Size")[0].(int) }
func (s shelfOf) Label() string         { return s.Call("Label")[0].(string) }

// A hoard is what a host keeps of a script, and what it is told of.
type hoard struct {
	bare  func()
	pair  func(int) (int, string)
	fails func() (int, error)
	shelf shelf
	err   error

	mu   sync.Mutex
	told []string
}

func (k *hoard) policy(engine string) sandtrap.Policy {
	p := pure()
	p.Std = []string{"fmt", "errors", "time"}
	p.Funcs = map[string]any{
		"bare":  func(f func()) { k.bare = f },
		"pair":  func(f func(int) (int, string)) { k.pair = f },
		"fails": func(f func() (int, error)) { k.fails = f },
		"keep":  func(err error) { k.err = err },
	}
	if engine == "vm" {
		p.Packages = []sandtrap.Package{{Path: "store", Members: map[string]any{
			"Shelf": (*shelf)(nil), "Keep": func(s shelf) { k.shelf = s },
		}}}
		p.Wrappers = []any{func(v sandtrap.Value) shelf { return shelfOf{v} }}
	}
	p.Uncalled = func(name string, err error) {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.told = append(k.told, name)
		if !errors.Is(err, sandtrap.ErrRunOver) {
			k.told = append(k.told, fmt.Sprint(err))
		}
	}
	return p
}

const leavesAll = `
type shelf struct { n int }
func (s *shelf) Put(string) error { s.n++; return nil }
func (s *shelf) Size() int { return s.n + 7 }
func (s *shelf) Label() string { return "label" }

type failure struct{}
func (failure) Error() string { return "a failure" }

func main() {
	bare(func() { panic("it ran") })
	pair(func(i int) (int, string) { return i + 1, "x" })
	fails(func() (int, error) { return 1, nil })
	keep(failure{})
	store.Keep(&shelf{})
}`

// use calls all that was kept.
func (k *hoard) use(b bench) {
	k.bare()
	if n, text := k.pair(1); n != 0 || text != "" {
		b.Errorf("results %d, %q, want zero values", n, text)
	}
	if n, err := k.fails(); n != 0 || !errors.Is(err, sandtrap.ErrRunOver) {
		b.Errorf("results %d, %v, want ErrRunOver", n, err)
	}
	if err := k.shelf.Put("x"); !errors.Is(err, sandtrap.ErrRunOver) {
		b.Errorf("the method gives %v, want ErrRunOver", err)
	}
	if n, label := k.shelf.Size(), k.shelf.Label(); n != 0 || label != "" {
		b.Errorf("the methods give %d, %q, want zero values", n, label)
	}
	want := sandtrap.ErrRunOver.Error()
	if !b.ShowsErrors {
		want = "a failure" // as it was when it crossed
	}
	if got := k.err.Error(); got != want {
		b.Errorf("the error says %q, want %q", got, want)
	}
}

// TestCallsAfterTheRun: what a host keeps of a script may be called from any goroutine after the run.
// It never panics; results say that the run is over, or the host is told.
func TestCallsAfterTheRun(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine != "vm" {
			return // TestYaegiAfterTheRun
		}
		k := &hoard{}
		box := b.Box(k.policy(b.Engine))
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: leavesAll}); err != nil {
			b.Fatal(err)
		}
		done := make(chan bool)
		go func() {
			defer close(done)
			k.use(b)
		}()
		<-done
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: "x := 1; _ = x"}); err != nil {
			b.Fatal(err)
		}
		k.use(b)
		once := []string{"func()", "func(int) (int, string)", "Size", "Label"}
		if b.ShowsErrors {
			once = append(once, "Error")
		}
		if want := slices.Concat(once, once); !slices.Equal(k.told, want) {
			b.Errorf("the host was told of %q, want %q", k.told, want)
		}
	})
}

// TestPanicOnAGoroutineOfTheHost: where a function of the script panics that the host calls from a
// goroutine of its own, the run ends with that, and the goroutine goes on.
func TestPanicOnAGoroutineOfTheHost(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine != "vm" {
			return // TestYaegiAfterTheRun
		}
		for _, blocking := range []bool{false, true} {
			over := make(chan int, 1)
			var call any = func(f func() int) {
				done := make(chan bool)
				go func() {
					defer close(done)
					over <- f()
				}()
				select {
				case <-done:
				case <-time.After(100 * time.Millisecond): // in this process nobody lets it in before this is over
				}
			}
			if blocking {
				call = sandtrap.Member{Value: call, Blocking: true}
			}
			p := pure()
			p.Funcs = map[string]any{"call": call}
			p.Std = []string{"time"}
			res, err := b.Box(p).Run(b.Context(), sandtrap.Script{Text: "call(func() int { panic(\"out\") })\ntime.Sleep(time.Minute)"})
			if !errors.Is(err, sandtrap.KindPanic) || res.Error.Message != "out" {
				b.Errorf("blocking %v: error %v, want the panic", blocking, err)
			}
			if n := <-over; n != 0 {
				b.Errorf("blocking %v: the call gave %d", blocking, n)
			}
		}
	})
}

// TestYaegiAfterTheRun: engine yaegi runs functions on the goroutine that calls them, and has no run to
// end with a panic there.
func TestYaegiAfterTheRun(t *testing.T) {
	var kept func() int
	var told []string
	p := pure()
	p.Engine = "yaegi"
	p.Funcs = map[string]any{
		"keep": func(f func() int) { kept = f },
		"call": func(f func() int) int {
			result := make(chan int)
			go func() { result <- f() }()
			return <-result
		},
		"sum": func(f func(int) int, more ...int) (n int) {
			for _, v := range more {
				n += f(v)
			}
			return n
		},
	}
	p.Uncalled = func(name string, _ error) { told = append(told, name) }
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	run := func(body string) (*sandtrap.Result, error) {
		return box.Run(t.Context(), sandtrap.Script{Text: body})
	}
	if _, err := run("keep(func() int { panic(\"it ran\") })\nif n := call(func() int { panic(\"out\") }); n != 0 { panic(n) }\nif n := sum(func(i int) int { return i }, 1, 2); n != 3 { panic(n) }"); err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		if n := kept(); n != 0 {
			t.Errorf("the function gave %d", n)
		}
	}()
	<-done
	if want := []string{"func() int", "func() int"}; !slices.Equal(told, want) {
		t.Errorf("the host was told of %q, want %q", told, want)
	}
	if _, err := run("sum(func(int) int { panic(\"out\") }, 1)"); !errors.Is(err, sandtrap.KindPanic) {
		t.Errorf("error %v, want the panic", err)
	}
}

// TestHostWaitsForItself: a function of the host that waits for a goroutine of its own, which calls the script,
// gets that back when the run has to end, and nothing of it is left.
func TestHostWaitsForItself(t *testing.T) {
	for name, end := range map[string]func(*sandtrap.Policy, context.CancelFunc){
		"timeout": func(p *sandtrap.Policy, _ context.CancelFunc) { p.Limits.Timeout = 300 * time.Millisecond },
		"cancel": func(p *sandtrap.Policy, cancel context.CancelFunc) {
			p.Limits.Timeout = sandtrap.Forever
			time.AfterFunc(300*time.Millisecond, cancel)
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p, returned := pure(), make(chan bool, 1)
			p.Funcs = map[string]any{"wait": func(f func()) {
				done := make(chan bool)
				go func() { f(); close(done) }()
				<-done
				returned <- true
			}}
			before := runtime.NumGoroutine()
			end(&p, cancel)
			box, err := sandtrap.New(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			if _, err := box.Run(ctx, sandtrap.Script{Text: "called := false\nwait(func() { called = true })"}); err == nil {
				t.Fatal("the run ended well")
			}
			select {
			case <-returned:
			case <-time.After(20 * time.Second):
				t.Fatal("the function of the host has not returned")
			}
			if n := rig.Settled(before); n > before {
				t.Errorf("%d goroutines are left", n-before)
			}
		})
	}
}
