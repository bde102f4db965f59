package paused

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// A Program is one that does not wait.
type Program struct {
	Name, Text, Stdin string
	Files             bool    // it has files in memory
	Stdout            *string // what it prints when Go runs it, nil if nobody knows
}

// maxTicks are those of a program that ends soon.
const maxTicks = 200_000

// policy is that of the runs of a program. The function answers at once, or later.
func policy(mode sandtrap.Isolation, files, later bool) sandtrap.Policy {
	p := sandtrap.Policy{
		Isolation: mode, Std: sandtrap.StdDefault(), Seed: 7, Epoch: time.Date(2021, 2, 3, 4, 5, 6, 7, time.UTC),
		Limits: sandtrap.Limits{Timeout: time.Minute, Ticks: 4 * maxTicks, Output: 1 << 20},
		Funcs: map[string]any{"pausing": sandtrap.Member{
			Value: func(site, time int) string { return answer(site) }, Params: []string{"site", "time"}, Pauses: later,
		}},
	}
	if files {
		p.Files = &sandtrap.Files{Cwd: "/work"}
	}
	return p
}

func answer(site int) string { return strings.Repeat("x", site) }

// A state is a run that waits, or has ended.
type state struct {
	Stdout  string
	End     string // all of its end that is compared; "" while it waits
	Ticks   int64
	File    []byte // its journal
	Pending []durable.Pending
}

func stateOf(res *sandtrap.Result, pause *durable.Pause, err error) (state, error) {
	s := state{Stdout: res.Stdout, Ticks: res.Ticks}
	if pause == nil {
		s.End = fmt.Sprintf("%s\nstderr: %s\nerror: %v", res.Stdout, res.Stderr, err)
		return s, nil
	}
	var b bytes.Buffer
	s.Pending, err = pause.Pending, errors.Join(err, pause.Save(&b))
	s.File = b.Bytes()
	return s, err
}

// answersTo answers the calls.
func answersTo(list []durable.Pending) (all []durable.Answer, err error) {
	for _, p := range list {
		var args struct{ Site int }
		if err := json.Unmarshal(p.Args, &args); err != nil {
			return nil, err
		}
		text, err := json.Marshal(answer(args.Site))
		if err != nil {
			return nil, err
		}
		all = append(all, durable.Answer{ID: p.ID, Result: text})
	}
	return all, nil
}

// orders are those in which calls are answered.
var orders = map[string]func([]durable.Pending) []durable.Pending{
	"all at once":   func(list []durable.Pending) []durable.Pending { return list },
	"first to last": func(list []durable.Pending) []durable.Pending { return list[:1] },
	"last to first": func(list []durable.Pending) []durable.Pending { return list[len(list)-1:] },
}

// A Count is how many programs were compared, how often they have waited, and how many of the programs depend on when
// calls return. It is safe for concurrent use.
type Count struct{ Programs, Pauses, Depend atomic.Int64 }

func (c *Count) String() string {
	return fmt.Sprintf("%d programs, %d pauses; %d depend on when calls return", c.Programs.Load(), c.Pauses.Load(), c.Depend.Load())
}

// Check splices calls into the program, and has it wait at each of them: whatever the order of the answers, it prints and ends
// as without waiting, after as many ticks. One that does not, and depends on when its calls return without waiting too, is
// counted as such; what Go prints is the same for all. It goes on in the isolations by turns, each time in a new process if fresh. A program
// that does not end soon, or is not allowed, is not counted.
func (c *Count) Check(t *testing.T, p Program, seed uint64, fresh bool, modes ...sandtrap.Isolation) {
	t.Helper()
	text := splice(p.Text, rand.New(rand.NewPCG(seed, uint64(len(p.Text)))))
	if text == "" {
		return
	}
	want := started(t, p, text, false, 0)
	if want.End == "" || want.Ticks > maxTicks {
		return
	}
	if p.Stdout != nil && want.Stdout != *p.Stdout {
		t.Errorf("without waiting it prints\n%s\nand without its calls\n%s", want.Stdout, *p.Stdout)
	}
	c.Programs.Add(1)
	depends := false
	for name, some := range orders {
		got := started(t, p, text, true, 0)
		for n := 1; got.End == ""; n++ {
			answers, err := answersTo(some(got.Pending))
			if err != nil || n > 200 {
				t.Fatalf("%s: %d pauses, %v", name, n, err)
			}
			on := resumed
			if fresh {
				on = resumedAfresh
			}
			next, err := on(t, modes[n%len(modes)], p.Files, got.File, answers)
			if err != nil || !strings.HasPrefix(next.Stdout, got.Stdout) {
				t.Fatalf("%s: pause %d: %v\n%s\nand before\n%s", name, n, err, next.Stdout, got.Stdout)
			}
			c.Pauses.Add(1)
			got = next
		}
		switch {
		case got.End == want.End && got.Ticks == want.Ticks:
		case p.Stdout != nil && got.Stdout != *p.Stdout, !depends && !dependent(t, p, text, want):
			t.Errorf("%s: %s\n%d ticks\nand without waiting %s\n%d ticks", name, got.End, got.Ticks, want.End, want.Ticks)
		default:
			depends = true
		}
	}
	if depends {
		c.Depend.Add(1)
	}
}

// dependent reports that a program does something else than it did before when its calls return at other moments, without
// waiting.
func dependent(t *testing.T, p Program, text string, before state) bool {
	for i := range 40 {
		s := started(t, p, text, false, time.Duration(1+i%4)*time.Millisecond)
		if s.End != before.End || s.Ticks != before.Ticks {
			return true
		}
	}
	return false
}

// started is a run that begins. Its calls return later, or at once, of which some are slow by chance. It has no end if the
// program does not end soon, or is not allowed.
func started(t *testing.T, p Program, text string, later bool, slow time.Duration) state {
	t.Helper()
	pol := policy(sandtrap.None, p.Files, later)
	if slow > 0 {
		pol.Funcs["pausing"] = sandtrap.Member{Params: []string{"site", "time"}, Value: func(site, _ int) string {
			if rand.N(2) == 0 {
				time.Sleep(slow)
			}
			return answer(site)
		}}
	}
	b, err := durable.New(pol)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	res, pause, err := b.Start(t.Context(), sandtrap.Script{Text: text, Name: "p.go", Stdin: strings.NewReader(p.Stdin)}, nil)
	if res.Error != nil && slices.ContainsFunc(unfit, func(k sandtrap.Kind) bool { return errors.Is(res.Error, k) }) {
		return state{}
	}
	s, err := stateOf(res, pause, err)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// unfit are the ends of programs that are not allowed, or do not end soon.
var unfit = []sandtrap.Kind{
	sandtrap.KindTimeout, sandtrap.KindTicks, sandtrap.KindMemory, sandtrap.KindSyntax, sandtrap.KindRejected, sandtrap.KindType,
	sandtrap.KindDenied, sandtrap.KindInternal, sandtrap.KindTasks,
}

// resumed goes on with a run.
func resumed(t *testing.T, mode sandtrap.Isolation, files bool, file []byte, answers []durable.Answer) (state, error) {
	b, err := durable.New(policy(mode, files, true))
	if err != nil {
		return state{}, err
	}
	defer b.Close()
	res, pause, err := b.Resume(t.Context(), bytes.NewReader(file), nil, answers...)
	return stateOf(res, pause, err)
}
