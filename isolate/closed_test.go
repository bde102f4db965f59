//go:build linux

package isolate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// TestFailClosed: a worker that lacks a layer is not there.
func TestFailClosed(t *testing.T) {
	mustStart(t, Spec{Path: worker, Level: Maximum}).Close()
	for _, name := range Maximum.Layers() {
		w, err := Start(t.Context(), Spec{Path: worker, Level: Maximum, Memory: 256 << 20, without: []string{name}})
		lack, ok := errors.AsType[*MissingError](err)
		if w != nil || !ok || !contains(lack.Layers, name) {
			t.Errorf("without %s: %v, %v", name, w, err)
		}
	}
}

// TestNeeds: a layer that needs another is not tried without it. A root that a worker makes in the
// mount namespace of its host is the host's, should he be root.
func TestNeeds(t *testing.T) {
	needed := false
	for _, need := range layers {
		rows, err := Maximum.rows()
		if err != nil {
			t.Fatal(err)
		}
		rows = slices.DeleteFunc(rows, func(row layer) bool { return row.name == need.name })
		want := []posture.Layer{}
		for _, row := range layers {
			if row.needs == need.name || row.needs != "" && contains(want, row.needs) {
				want = append(want, posture.Layer{Name: row.name, State: posture.Missing, Reason: "it needs " + row.needs})
			}
		}
		if len(want) == 0 {
			continue
		}
		needed = true
		w, err := start(t.Context(), Spec{Path: worker}, rows, nil)
		if lack, ok := errors.AsType[*MissingError](err); w != nil || !ok || !slices.Equal(lack.Layers, want) {
			t.Errorf("without %s: %v, %v", need.name, w, err)
		}
	}
	if !needed {
		t.Error("no layer needs another")
	}
}

// TestLiar: a worker that says that it has what the kernel does not show has it not.
func TestLiar(t *testing.T) {
	rows, err := Maximum.rows()
	if err != nil {
		t.Fatal(err)
	}
	w := mustStart(t, Spec{Path: worker, Level: Bare})
	said := []posture.Layer{}
	for _, row := range rows {
		said = append(said, posture.Layer{Name: row.name, State: posture.Applied})
	}
	w.status = nil
	lack, ok := errors.AsType[*MissingError](w.verify(rows, said))
	if !ok {
		t.Fatal("it is believed")
	}
	for name := range checks {
		if name != posture.Descriptors && !contains(lack.Layers, name) {
			t.Errorf("%s is believed", name)
		}
	}
}

// TestNothingIsLeft: workers that were closed, that died and that were killed leave no
// processes, descriptors and groups.
func TestNothingIsLeft(t *testing.T) {
	runs := 60
	if n, err := strconv.Atoi(os.Getenv("ISOLATE_RUNS")); err == nil {
		runs = n
	}
	mustStart(t, Spec{Path: worker, Level: Maximum, Memory: 64 << 20}).Close()
	rest()
	before, had := openFiles(), children(t)
	for i := range runs {
		w, err := Start(t.Context(), Spec{Path: worker, Level: Maximum, Memory: 64 << 20})
		lacking(t, err)
		if err != nil {
			t.Fatal(err)
		}
		switch i % 3 {
		case 1:
			w.proc.kill()
		case 2:
			w.Do(t.Context(), []byte("panic"), Handlers{})
		}
		w.Close()
	}
	if groups := groupsNamed(groupName()); len(groups) > 20 {
		t.Errorf("groups are not used again: %v", groups)
	}
	rest()
	checkOpenFiles(t, before)
	left := slices.DeleteFunc(children(t), func(pid string) bool { return slices.Contains(had, pid) })
	if len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
	if groups := groupsNamed(groupName()); len(groups) > 0 {
		t.Errorf("groups are left: %v", groups)
	}
}

// openFiles is the number of descriptors of this process, with the one that reads them.
func openFiles() int { list, _ := os.ReadDir("/proc/self/fd"); return len(list) }

// checkOpenFiles reports descriptors that stay open. It waits, since a file that was closed keeps its
// descriptor until the last read from it has returned.
func checkOpenFiles(t *testing.T, before int) {
	t.Helper()
	after := openFiles()
	for end := time.Now().Add(10 * time.Second); after > before && time.Now().Before(end); after = openFiles() {
		time.Sleep(10 * time.Millisecond)
	}
	if after > before {
		t.Errorf("%d descriptors became %d", before, after)
	}
}

// children are the processes that this one has started and not waited for.
func children(t *testing.T) []string {
	t.Helper()
	list := []string{}
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		list = append(list, strings.Fields(string(text))...)
	}
	return list
}

// TestReentry: a handler cannot give its worker another job.
func TestReentry(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Standard})
	var inner error
	_, err := w.Do(t.Context(), []byte("call again"), Handlers{Call: func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
		_, inner = w.Do(ctx, []byte("echo"), Handlers{})
		return nil, inner
	}})
	if !errors.Is(inner, ErrReentrant) || err == nil {
		t.Errorf("the job in the job: %v; the job: %v", inner, err)
	}
}

// TestAsk: during a call the worker can be asked, one thing after the other, and not after it.
func TestAsk(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Bare})
	var kept context.Context
	got, err := w.Do(t.Context(), []byte("call x"), Handlers{Call: func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
		kept = ctx
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				word := strconv.Itoa(i)
				if got, err := Ask(ctx, []byte(word)); string(got) != word+word || err != nil {
					t.Errorf("got %q, %v", got, err)
				}
			})
		}
		wg.Wait()
		return Ask(ctx, []byte("last"))
	}})
	if string(got) != "lastlast" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	for _, ctx := range []context.Context{kept, t.Context()} {
		if _, err := Ask(ctx, nil); !errors.Is(err, ErrOver) {
			t.Errorf("without a call: %v", err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	answered := make(chan error, 1)
	w.Do(ctx, []byte("call x"), Handlers{Call: func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
		_, err := Ask(ctx, []byte("wait"))
		answered <- err
		return nil, err
	}})
	if err := <-answered; err == nil {
		t.Error("an answer that was never given")
	}
}

// TestAnswers: what a worker answers is held by the host like what its calls bring, also where no
// other call of it comes.
func TestAnswers(t *testing.T) {
	for n, then := range map[int]string{4: "answer", 5: "answer-and-wait"} {
		w := mustStart(t, Spec{Path: worker, Level: Bare, Memory: 256 << 20})
		var answered atomic.Int64
		all := make(chan bool)
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		_, err := w.Do(ctx, fmt.Appendf(nil, "calls %d 0 %s", n, then), Handlers{
			Long: func(string) bool { return true },
			Call: func(ctx context.Context, name string, _ []byte) ([]byte, error) {
				switch name {
				case "asked":
					until(t, "the questions", func() bool { return w.awaited() == n })
					return nil, nil
				case "x":
					if got, err := Ask(ctx, nil); len(got) == 16<<20 && err == nil && answered.Add(1) == 4 && n == 4 {
						close(all)
					}
				}
				select { // it holds the answer
				case <-all:
				case <-ctx.Done():
				}
				return nil, nil
			},
		})
		if n == 4 && (err != nil || answered.Load() != 4) || n == 5 && !isDeath(err, OutOfMem) {
			t.Errorf("%d answers: %d came, %v", n, answered.Load(), err)
		}
	}
}

// awaited counts the answers that are awaited.
func (w *Worker) awaited() (n int) {
	w.asking.Range(func(_, c any) bool {
		c.(*callContext).mu.Lock()
		defer c.(*callContext).mu.Unlock()
		if c.(*callContext).awaits {
			n++
		}
		return true
	})
	return n
}

// TestOutcomes: what a worker says was the outcome of a job before it has it is not taken for that, and
// nothing of it is held; one that goes on with that is ended.
func TestOutcomes(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Bare})
	if got, err := w.Do(t.Context(), []byte("outcomes"), Handlers{}); string(got) != "done" || err != nil {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	if n := len(w.messages); n > 0 {
		t.Errorf("%d messages wait for a job", n)
	}
	within(t, func() error { <-w.proc.said; return nil })
	if _, err := w.Do(t.Context(), []byte("echo"), Handlers{}); !isDeath(err, Broken) {
		t.Errorf("after it has talked without end: %v", err)
	}
}

// TestFlood: a worker cannot have its host answer more than so many calls at a time, and is
// ended all the same.
func TestFlood(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Standard})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	var most, now atomic.Int64
	_, err := w.Do(ctx, []byte("flood x"), Handlers{Call: func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		<-ctx.Done()
		return nil, nil
	}})
	if err == nil || most.Load() == 0 || most.Load() > 256 {
		t.Errorf("%d at a time, %v", most.Load(), err)
	}
}

// TestFull: while as many calls are answered as there may be, and of as many bytes, the host notices
// that the job is done, that the worker has died, and that it asks for more.
func TestFull(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for _, tc := range []struct {
		job  string
		kill bool
		want Cause // none if it is done
	}{
		{fmt.Sprint("calls ", wire.MaxCalls, " 0"), false, ""},
		{fmt.Sprint("calls ", wire.MaxCalls, " 0 wait"), true, Killed},
		{fmt.Sprint("calls ", wire.MaxCalls+1, " 0 wait"), false, Broken},
		{fmt.Sprint("calls 4 ", 16<<20), false, ""}, // 64 MiB, which is a quarter of what it may have
		{fmt.Sprint("calls 4 ", 16<<20+1, " wait"), false, OutOfMem},
	} {
		t.Run(tc.job, func(t *testing.T) {
			w := mustStart(t, Spec{Path: worker, Level: Bare, Memory: 256 << 20})
			stuck := make(chan struct{})
			defer close(stuck)
			var calls atomic.Int64
			ended := make(chan error, 1)
			go func() {
				got, err := w.Do(t.Context(), []byte(tc.job), Handlers{Call: func(context.Context, string, []byte) ([]byte, error) {
					if calls.Add(1) == wire.MaxCalls && tc.kill {
						w.proc.kill()
					}
					<-stuck
					return nil, nil
				}})
				if err == nil && string(got) != "called" {
					err = errors.New(string(got))
				}
				ended <- err
			}()
			select {
			case err := <-ended:
				if d, ok := errors.AsType[*DeathError](err); ok && d.Cause != tc.want || !ok && (err != nil || tc.want != "") {
					t.Errorf("got %v, want %q", err, tc.want)
				}
			case <-time.After(30 * time.Second):
				t.Error("the host waits for its own functions")
			}
		})
	}
}

// TestCancelAfterCalls: a job that has made many calls, and makes none any more, is told to
// end, and the worker goes on.
func TestCancelAfterCalls(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Standard})
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		h := Handlers{Call: func(context.Context, string, []byte) ([]byte, error) {
			if calls++; calls == 200 {
				time.AfterFunc(50*time.Millisecond, cancel)
			}
			return nil, nil
		}}
		got, err := w.Do(ctx, []byte("ask 200 wait"), h)
		cancel()
		if string(got) != "asked" || err != nil {
			t.Fatalf("%q, %v", got, err)
		}
	}
}

// TestUnknown: messages that either end does not know, of a later version of the other, change nothing.
func TestUnknown(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Standard})
	got, err := w.Do(t.Context(), []byte("unknown"), Handlers{Call: func(context.Context, string, []byte) ([]byte, error) {
		for kind := range 100 {
			if err := w.conn.Send(&wire.Message{Kind: wire.Kind(100 + kind), ID: 1, Name: "x"}); err != nil {
				return nil, err
			}
		}
		return []byte("known"), nil
	}})
	if string(got) != "known" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// TestTooLarge: what no frame holds is an error, of a job and of a call, and nothing more.
func TestTooLarge(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Standard})
	large := Handlers{Call: func(context.Context, string, []byte) ([]byte, error) { return make([]byte, wire.MaxFrame), nil }}
	for _, tc := range []struct {
		job  []byte
		want string
	}{
		{[]byte("large"), "the message is too large"},
		{[]byte("call x"), "the message is too large"},
		{make([]byte, wire.MaxFrame), "the message is too large"},
		{[]byte("echo"), ""},
	} {
		_, err := w.Do(t.Context(), tc.job, large)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%.10q: %v, want %q", tc.job, err, tc.want)
		}
	}
}

// TestPatience: a call that hangs holds up neither other calls nor the end of its job.
func TestPatience(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Standard})
	hold := make(chan struct{})
	defer close(hold)
	var calls atomic.Int64
	h := Handlers{Call: func(context.Context, string, []byte) ([]byte, error) {
		if calls.Add(1) == 1 {
			<-hold
		}
		return nil, nil
	}}
	if got, err := w.Do(t.Context(), []byte("calls 20 0"), h); string(got) != "called" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := w.Do(t.Context(), []byte("ask 20"), h); string(got) != "asked" || err != nil {
		t.Errorf("the next job: %q, %v", got, err)
	}
}

// TestStopped: a worker that stands still is ended with its job.
func TestStopped(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Maximum})
	if err := w.stop(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := w.Do(ctx, []byte("echo"), Handlers{})
	if d, ok := errors.AsType[*DeathError](err); !ok || d.Cause != Killed {
		t.Errorf("error %v", err)
	}
}

// stop has the process stand still, and returns when each of its threads does.
func (w *Worker) stop() error {
	err := w.proc.of.Signal(syscall.SIGSTOP)
	runs := func(its status) bool { return !strings.HasPrefix(its.value("State"), "T") }
	for end := time.Now().Add(30 * time.Second); err == nil && slices.ContainsFunc(w.proc.look().threads, runs); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			err = errors.New("it does not stop")
		}
	}
	return err
}

// TestCrowd: a host with many goroutines starts many workers at once.
func TestCrowd(t *testing.T) {
	mustStart(t, Spec{Path: worker, Level: Maximum, Memory: 64 << 20}).Close()
	var wg sync.WaitGroup
	hold := make(chan bool)
	for range 500 {
		go func() { <-hold }()
	}
	defer close(hold)
	var good atomic.Int64
	for range 50 {
		wg.Go(func() {
			w, err := Start(t.Context(), Spec{Path: worker, Level: Maximum, Memory: 64 << 20})
			if err != nil {
				t.Error(err)
				return
			}
			defer w.Close()
			if got, err := w.Do(t.Context(), []byte("echo here"), Handlers{}); string(got) == "here" && err == nil {
				good.Add(1)
			}
		})
	}
	wg.Wait()
	if good.Load() != 50 {
		t.Errorf("%d of 50 workers did their job", good.Load())
	}
}
