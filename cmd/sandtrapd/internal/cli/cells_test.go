package cli_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A tally is a session that counts, and what Go itself comes to.
type tally struct {
	p    *process
	id   string
	sum  int
	log  string
	runs int
}

func newTally(ctx context.Context, p *process) (*tally, error) {
	v, err := p.request(ctx, "POST", "/v1/sessions", map[string]string{})
	if err == nil && v.status >= 300 {
		err = fmt.Errorf("a session: status %d", v.status)
	}
	s := &tally{p: p, id: v.ID}
	if err == nil {
		err = s.cell(ctx, `sum := 0
type counter struct { said []string }
func (c *counter) say(s string) int { c.said = append(c.said, s); return len(c.said) }
c := &counter{}
add := func(n int) { sum += n }
`, "")
	}
	return s, err
}

// cell runs a cell that has to print something.
func (s *tally) cell(ctx context.Context, code, want string) error {
	v, err := s.p.request(ctx, "POST", "/v1/runs", map[string]any{"session": s.id, "code": code})
	if err != nil {
		return err
	}
	if s.runs++; v.State != "done" || v.Result.Stdout != want {
		return fmt.Errorf("cell %d of %s: %s, %q; want %q", s.runs, s.id, v.State, v.end(), want)
	}
	return nil
}

// step runs a cell that changes a variable, a value with methods and a file, and prints what they have become.
func (s *tally) step(ctx context.Context, i int, more string) error {
	s.sum += i * i
	s.log += fmt.Sprintln("step", i)
	code := fmt.Sprintf(`fmt.Println("begins", sum); %s; add(%d*%d)
f, err := os.OpenFile("log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o640)
if err != nil { panic(err) }
fmt.Fprintln(f, "step", %d)
f.Close()
text, err := os.ReadFile("log")
if err != nil { panic(err) }
fmt.Println(sum, c.say("x")); fmt.Print(string(text))`, more, i, i, i)
	return s.cell(ctx, code, fmt.Sprintf("begins %d\n%d %d\n%s", s.sum-i*i, s.sum, strings.Count(s.log, "\n"), s.log))
}

// TestCellsKilled: sessions whose workers are killed between cells, and amid them, have all that their cells have made of them, once.
// SANDTRAPD_CELLS is how many sessions there are.
func TestCellsKilled(t *testing.T) {
	sessions, cells := 6, 6
	if n, err := strconv.Atoi(os.Getenv("SANDTRAPD_CELLS")); err == nil {
		sessions, cells = n, 10
	}
	dir, at := t.TempDir(), freePort(t)
	p := serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	keys := []string{workerKey(t, dir, "w0"), workerKey(t, dir, "w1"), workerKey(t, dir, "w2")}
	workers := make([]*workerProcess, len(keys))
	for i, key := range keys {
		workers[i] = startWorker(t, "nats://"+at, key)
	}
	until(t, "three workers", func() bool { return strings.Count(p.log.String(), "a worker is there") == 4 }) // one is the server itself
	var all sync.WaitGroup
	var left atomic.Int64
	left.Store(int64(sessions))
	for n := range sessions {
		all.Go(func() {
			defer left.Add(-1)
			s, err := newTally(t.Context(), p)
			for i := 0; i < cells && err == nil; i++ {
				err = s.step(t.Context(), n+i, "time.Sleep(100*time.Millisecond)")
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	kills := 0
	for ; left.Load() > 0; kills++ {
		time.Sleep(300 * time.Millisecond)
		i := kills % len(workers)
		workers[i].end(syscall.SIGKILL)
		workers[i] = startWorker(t, "nats://"+at, keys[i])
	}
	all.Wait()
	again := strings.Count(p.log.String(), "a job is sent to another worker")
	t.Logf("%d workers were killed, %d cells were done again", kills, again)
	if again == 0 {
		t.Error("no cell was on a worker that was killed")
	}
}

// TestCellsMove: a session whose worker leaves after SIGTERM, or is killed between two cells, is at another one then, with all that it had.
func TestCellsMove(t *testing.T) {
	dir, at := t.TempDir(), freePort(t)
	p := serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	keys := []string{workerKey(t, dir, "w0"), workerKey(t, dir, "w1")}
	workers := []*workerProcess{startWorker(t, "nats://"+at, keys[0]), startWorker(t, "nats://"+at, keys[1])}
	until(t, "two workers", func() bool { return strings.Count(p.log.String(), "a worker is there") == 3 }) // one is the server itself
	list := make([]*tally, 8)
	step := func(i int) {
		t.Helper()
		var all sync.WaitGroup
		for n := range list {
			all.Go(func() {
				if err := list[n].step(t.Context(), n+i, ""); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	for n := range list {
		s, err := newTally(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		list[n] = s
	}
	step(1)
	step(2)
	if err := workers[0].end(syscall.SIGTERM); err != nil {
		t.Errorf("a worker that is to leave: %v", err)
	}
	step(3)
	workers[1].end(syscall.SIGKILL)
	step(4)
	step(5)
	if again := strings.Count(p.log.String(), "a job is sent to another worker"); again != 0 {
		t.Errorf("%d cells were lost, and none went on", again)
	}
}
