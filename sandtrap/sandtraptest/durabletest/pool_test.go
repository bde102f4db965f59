package durabletest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// chance prints what a run has from its seed and its epoch, before a call that waits and after it.
const chance = `package main

import (
	crypto "crypto/rand"
	"fmt"
	"hash/maphash"
	v1 "math/rand"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"time"
)

var boot = time.Now()

func show() {
	b := make([]byte, 8)
	crypto.Read(b)
	fmt.Println(time.Now(), time.Since(boot), rand.IntN(1<<30), v1.Intn(1<<30), b, maphash.String(maphash.MakeSeed(), "x"))
	m := map[int]bool{}
	for i := range 30 {
		m[i] = true
	}
	for k := range m {
		fmt.Print(k, " ")
	}
	c := make(chan string, 1)
	d := make(chan string, 1)
	for range 20 {
		c <- "c"
		d <- "d"
		select {
		case s := <-c:
			fmt.Print(s)
			<-d
		case s := <-d:
			fmt.Print(s)
			<-c
		}
	}
	var wg sync.WaitGroup
	for i := range 9 {
		wg.Go(func() { time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond); runtime.Gosched(); fmt.Print(" ", i) })
	}
	wg.Wait()
	names, _ := os.ReadDir(".")
	for _, f := range names {
		info, err := f.Info()
		fmt.Println(f.Name(), info.ModTime(), err)
	}
	fmt.Println(os.WriteFile("left", b, 0o600))
}

func main() {
	show()
	fmt.Println(ask("?"))
	show()
	panic(fmt.Sprint(rand.Int()))
}
`

// A wish is a run that waits, and what it becomes with an answer in a worker that has run nothing before.
type wish struct {
	file []byte
	end  string
}

func wishes(t *testing.T, p sandtrap.Policy, n int) (list []wish) {
	t.Helper()
	for i := range n {
		p.Seed, p.Epoch = uint64(i+1), time.Date(2000+i, 1, 2, 3, 4, 5, 678, time.UTC)
		b := mustBox(t, p)
		_, pause, err := b.Start(t.Context(), sandtrap.Script{Text: chance}, nil)
		if err != nil {
			t.Fatal(err)
		}
		w := wish{file: saved(t, pause)}
		w.end = w.resumed(t.Context(), b)
		if i > 0 && w.end == list[i-1].end {
			t.Fatal("runs with other seeds are the same", w.end)
		}
		list = append(list, w)
	}
	return list
}

// resumed is all that a run becomes.
func (w *wish) resumed(ctx context.Context, b *durable.Box) string {
	res, _, err := b.Resume(ctx, bytes.NewReader(w.file), nil, durable.Answer{ID: 1, Result: []byte(`"yes"`)})
	return fmt.Sprint(end(res, err), res.Stderr, res.Ticks)
}

// pooledBox is a box whose runs have workers of a pool that keeps none ready, and a tenant of whom it has a sandbox.
func pooledBox(t *testing.T, p sandtrap.Policy, most int, tenants ...string) (*durable.Box, *sandtrap.Pool) {
	t.Helper()
	b := mustBox(t, p)
	pool, err := b.Pool(t.Context(), sandtrap.PoolLimits{Size: -1, Max: most})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close(context.Background()) })
	for _, name := range tenants {
		box, err := pool.Sandbox(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { box.Close() })
	}
	return b, pool
}

// TestPoolRepeats: runs one after the other in one worker, and at a time in several, are as each is in a worker of its own: the clock, the
// random numbers, the order of maps, of cases and of goroutines, the files and the ticks. So is one that begins in the pool and is repeated
// elsewhere.
func TestPoolRepeats(t *testing.T) {
	for _, mode := range isolations() {
		if mode == sandtrap.None {
			continue
		}
		t.Run(string(mode), func(t *testing.T) {
			p := corpusPolicy(mode, true)
			list := wishes(t, p, 3)
			b, pool := pooledBox(t, p, 1, "me")
			if s := pool.Stats(); s.Starting+s.Ready+s.Busy+s.Waiting > 0 {
				t.Errorf("before the first run: %+v", s)
			}
			ctx := durable.WithTenant(t.Context(), "me")
			for i := range 2 * len(list) {
				w := list[i%len(list)]
				if got := w.resumed(ctx, b); got != w.end {
					t.Errorf("run %d: %s\nand in a worker of its own %s", i, got, w.end)
				}
				if s := pool.Stats(); s.Waiting != 1 || s.Hired != int64(i+1) {
					t.Errorf("run %d: %+v", i, s)
				}
			}
			_, pause, err := b.Start(ctx, sandtrap.Script{Text: chance}, nil)
			if err != nil {
				t.Fatal(err)
			}
			w := wish{file: saved(t, pause)}
			if got, want := w.resumed(ctx, b), w.resumed(ctx, mustBox(t, corpusPolicy(sandtrap.None, true))); got != want {
				t.Errorf("%s\nand in this process %s", got, want)
			}
			together(t, p, list)
		})
	}
}

// together has runs go on at a time.
func together(t *testing.T, p sandtrap.Policy, list []wish) {
	b, _ := pooledBox(t, p, 2, "me")
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			for n := range 3 {
				w := list[(i+n)%len(list)]
				if got := w.resumed(durable.WithTenant(t.Context(), "me"), b); got != w.end {
					t.Errorf("%s\nand in a worker of its own %s", got, w.end)
				}
			}
		})
	}
	all.Wait()
}

// TestPoolCorpus: the programs of the corpus go on in workers that have run others.
func TestPoolCorpus(t *testing.T) {
	for _, mode := range isolations() {
		if mode == sandtrap.None {
			continue
		}
		p := corpusPolicy(mode, true)
		b, _ := pooledBox(t, p, 1, "me")
		ctx := durable.WithTenant(t.Context(), "me")
		for _, prog := range programs {
			own, ownPause, ownErr := mustBox(t, corpusPolicy(sandtrap.None, true)).Start(t.Context(), sandtrap.Script{Text: prog.text}, nil)
			res, pause, err := b.Start(ctx, sandtrap.Script{Text: prog.text}, nil)
			if got, want := end(res, err), end(own, ownErr); got != want || (pause == nil) != (ownPause == nil) {
				t.Errorf("%s, %s: %s\nand in this process %s", mode, prog.name, got, want)
			}
		}
	}
}

// TestPoolTenants: tenants have a worker each, which ends with the last sandbox of the tenant, and so has a run without a tenant. A box that
// is closed leaves none when its pool is.
func TestPoolTenants(t *testing.T) {
	for _, mode := range isolations() {
		if mode == sandtrap.None {
			continue
		}
		b, pool := pooledBox(t, corpusPolicy(mode, true), 4, "a", "b")
		for i, tenant := range []string{"a", "b", "", "gone", "a"} {
			if _, pause, err := b.Start(durable.WithTenant(t.Context(), tenant), sandtrap.Script{Text: chance}, nil); err != nil || pause == nil {
				t.Fatal(mode, pause, err)
			}
			if s, want := pool.Stats(), min(i+1, 2); s.Waiting != want || s.Busy > 0 || s.Hired != int64(i+1) {
				t.Errorf("%s, %q: %+v, want %d that wait", mode, tenant, s, want)
			}
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		if err := pool.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, _, err := b.Start(t.Context(), sandtrap.Script{Text: "1"}, nil); !errors.Is(err, sandtrap.ErrClosed) {
			t.Error(err)
		}
		if s := pool.Stats(); s.Starting+s.Ready+s.Busy+s.Waiting > 0 {
			t.Errorf("%s: after the end %+v", mode, s)
		}
	}
}
