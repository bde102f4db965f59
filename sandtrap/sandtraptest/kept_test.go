package sandtraptest

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// eachWorker runs a test in the modes that have workers.
func eachWorker(t *testing.T, test func(b bench)) {
	eachMode(t, func(b bench) {
		if b.Isolation == sandtrap.None {
			b.Skip("there are no workers")
		}
		test(b)
	})
}

// TestFuncsKept: functions of the last runs that left any can be called; those of runs before
// cannot, and say so. There are no more workers than that takes, and they end with the sandbox.
func TestFuncsKept(t *testing.T) {
	eachWorker(t, func(b bench) {
		const runs, kept = 12, 8
		before := children(b)
		box := b.Box(pure())
		var results []*sandtrap.Result
		for i := range runs {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: fmt.Sprintf("n := %d\nf := func() int { n++; return n }", 10*i)})
			if err != nil {
				b.Fatal(err)
			}
			results = append(results, res)
		}
		for i, res := range results {
			out, err := res.Vars["f"].(*sandtrap.Func).Call(b.Context())
			switch {
			case i < runs-kept && err != sandtrap.ErrRunOver:
				b.Errorf("of run %d: %v, %v", i, out.Returned, err)
			case i >= runs-kept && (err != nil || out.Returned[0] != 10*i+1):
				b.Errorf("of run %d: %v, %v", i, out.Returned, err)
			}
		}
		if n := len(children(b)) - len(before); n > kept+1 {
			b.Errorf("%d workers", n)
		}
		box.Close()
		for pid := range children(b) {
			if !before[pid] {
				b.Errorf("process %d is left", pid)
			}
		}
	})
}

// TestFuncStreams: calls have the streams of their run, and events of their own.
func TestFuncStreams(t *testing.T) {
	eachKeeping(t, func(b bench) {
		var out bytes.Buffer
		events := make(chan sandtrap.Event, 100)
		p := pure()
		p.Funcs = map[string]any{"double": func(n int) int { return 2 * n }}
		res, err := b.Box(p).Run(b.Context(), sandtrap.Script{
			Text: "f := func() string { fmt.Print(double(2)); line, _ := bufio.NewReader(os.Stdin).ReadString('\\n'); return line }", Stdin: strings.NewReader("a line\n"),
			Stdout: &out, Events: events,
		})
		if err != nil {
			b.Fatal(err)
		}
		for len(events) > 0 {
			<-events
		}
		called, err := res.Vars["f"].(*sandtrap.Func).Call(b.Context())
		if err != nil || called.Returned[0] != "a line\n" || called.Stdout != "4" || out.String() != "4" {
			b.Errorf("got %q, %q, %q, %v", called.Returned, called.Stdout, out.String(), err)
		}
		close(events)
		var got []string
		for e := range events {
			got = append(got, strings.TrimSpace(string(e.Kind)+" "+e.Text))
		}
		if text := strings.Join(got, "; "); text != "started; call double; stdout 4; finished" {
			b.Errorf("events %q", text)
		}
	})
}

// TestSessionFuncsModes: functions that a cell leaves see what later cells assign, and go with
// the session.
func TestSessionFuncsModes(t *testing.T) {
	eachSession(t, func(b bench) {
		s := b.Session(pure())
		res, err := s.Run(b.Context(), sandtrap.Script{Text: "n := 1\nadd := func(k int) int { n += k; return n }"})
		if err != nil {
			b.Fatal(err)
		}
		add := res.Vars["add"].(*sandtrap.Func)
		for _, step := range []struct {
			cell string
			want int
		}{{"// nothing", 2}, {"n = 10", 11}, {"n := \"other\"", 12}, {"panic(n)", 13}} {
			if _, err := s.Run(b.Context(), sandtrap.Script{Text: step.cell}); err != nil && !errors.Is(err, sandtrap.KindPanic) {
				b.Fatal(err)
			}
			if out, err := add.Call(b.Context(), 1); err != nil || out.Returned[0] != step.want {
				b.Errorf("after %q: %v, %v, want %d", step.cell, out.Returned, err, step.want)
			}
		}
		s.Close()
		if _, err := add.Call(b.Context(), 1); err != sandtrap.ErrRunOver {
			b.Errorf("after the end: %v", err)
		}
	})
}

// TestFuncsForgotten: runs whose functions nobody holds any more give their workers back, also while
// another run goes on, which is not kept from its end by that.
func TestFuncsForgotten(t *testing.T) {
	eachWorker(t, func(b bench) {
		p := pure()
		in, out := make(chan bool), make(chan bool)
		p.Funcs = map[string]any{"wait": func() { in <- true; <-out }}
		box := b.Box(p)
		const kept = 8
		var results []*sandtrap.Result
		for range kept {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: "f := func() int { return 1 }"})
			if err != nil {
				b.Fatal(err)
			}
			results = append(results, res)
		}
		ended := make(chan error, 1)
		go func() {
			_, err := box.Run(b.Context(), sandtrap.Script{Text: "wait()"})
			ended <- err
		}()
		<-in
		clear(results)
		for range 20 {
			runtime.GC()
			time.Sleep(5 * time.Millisecond)
		}
		close(out)
		select {
		case err := <-ended:
			if err != nil {
				b.Error(err)
			}
		case <-time.After(20 * time.Second):
			b.Fatal("the run does not end")
		}
		does(b, box, "fmt.Print(1)", "1")
	})
}

// TestClosedDuringRun: the worker of a run that goes on when its sandbox is closed ends with the run, also if
// that leaves functions.
func TestClosedDuringRun(t *testing.T) {
	for _, text := range []string{"wait()", "f := func() {}\nwait()"} {
		eachWorker(t, func(b bench) { closedDuring(b, text) })
	}
}

func closedDuring(b bench, text string) {
	before := children(b)
	p := pure()
	in, out := make(chan bool), make(chan bool)
	p.Funcs = map[string]any{"wait": func() { in <- true; <-out }}
	box := b.Box(p)
	ended := make(chan error, 1)
	var res *sandtrap.Result
	go func() {
		var err error
		res, err = box.Run(b.Context(), sandtrap.Script{Text: text})
		ended <- err
	}()
	defer func() { runtime.KeepAlive(res) }()
	<-in
	box.Close()
	close(out)
	if err := <-ended; err != nil {
		b.Error(err)
	}
	var left []int
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		left = nil
		for pid := range children(b) {
			if !before[pid] {
				left = append(left, pid)
			}
		}
		if len(left) == 0 {
			return
		}
	}
	b.Errorf("processes %v are left", left)
}
