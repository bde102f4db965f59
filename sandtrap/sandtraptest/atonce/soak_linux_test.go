package atonce

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// soak is how long TestSoak runs scripts in each isolation: `-soak 20m` is an hour of all three.
var soak = flag.Duration("soak", time.Second, "how long TestSoak runs scripts in each isolation")

// soaked is how many sandboxes run scripts at a time, and briefly how many do in less than a minute.
const soaked, briefly = 64, 14

// A soakScript is a script with the ends that it may have: an empty kind is none.
type soakScript struct {
	text string
	ends []sandtrap.Kind
}

// hostileScripts are stopped, or fail, and leave what they can: tasks, memory, open calls. None leaves functions:
// those keep workers while the host holds them.
var hostileScripts = []soakScript{
	{"for {}", []sandtrap.Kind{sandtrap.KindTicks, sandtrap.KindTimeout}},
	{"var all [][]byte\nfor { all = append(all, make([]byte, 1<<20)) }", []sandtrap.Kind{sandtrap.KindMemory, sandtrap.KindTimeout}},
	{"func f(n int) int { return f(n+1) + 1 }\nf(0)", []sandtrap.Kind{sandtrap.KindDepth, sandtrap.KindTimeout}},
	{"for { go func() { select {} }() }", []sandtrap.Kind{sandtrap.KindTasks, sandtrap.KindTimeout}},
	{"for range 500 { fmt.Println(strings.Repeat(\"x\", 1000)) }", []sandtrap.Kind{"", sandtrap.KindTimeout, sandtrap.KindMemory}},
	{"panic(fmt.Sprintf(\"%v\", make([]int, 1000)))", []sandtrap.Kind{sandtrap.KindPanic, sandtrap.KindTimeout}},
	{"<-make(chan int)", []sandtrap.Kind{sandtrap.KindDeadlock, sandtrap.KindTimeout}},
	{"for range 40 { go func() { for {} }() }", []sandtrap.Kind{"", sandtrap.KindTicks, sandtrap.KindTimeout}},
	{"defer func() { for {} }()\nvar m map[int]int\nm[1] = 1", []sandtrap.Kind{sandtrap.KindTicks, sandtrap.KindTimeout}},
	{"fail()", []sandtrap.Kind{sandtrap.KindPanic, sandtrap.KindTimeout}},
	{"x := 1 +", []sandtrap.Kind{sandtrap.KindSyntax}},
	{"import \"os/exec\"", []sandtrap.Kind{sandtrap.KindDenied, sandtrap.KindRejected, sandtrap.KindType}},
	{"regexp.MustCompile(strings.Repeat(\"(a+)+\", 20)).MatchString(strings.Repeat(\"a\", 1<<20))", []sandtrap.Kind{"", sandtrap.KindTicks, sandtrap.KindTimeout, sandtrap.KindMemory, sandtrap.KindPanic}},
}

// A gauge is what the process has of what runs may leave.
type gauge struct{ heap, rss, descriptors, goroutines, processes, groups int64 }

func read(t *testing.T) (g gauge) {
	t.Helper()
	g.heap = rig.SettledHeap()
	debug.FreeOSMemory() // so that pages which the runtime only keeps do not count
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(status) {
		if kb, ok := bytes.CutPrefix(line, []byte("VmRSS:")); ok {
			n, err := strconv.ParseInt(string(bytes.Fields(kb)[0]), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if g.rss = n << 10; machine.Raced {
				g.rss = 0 // most of it is the detector's own
			}
		}
	}
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	g.descriptors = int64(len(fds))
	g.goroutines = int64(runtime.NumGoroutine())
	children, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(children) == 0 {
		t.Fatal("the kernel does not tell of children: ", err)
	}
	for _, name := range children {
		list, _ := os.ReadFile(name) // a thread may end
		g.processes += int64(len(bytes.Fields(list)))
	}
	mine := fmt.Sprint(os.Getpid())
	_ = filepath.WalkDir("/sys/fs/cgroup", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.Contains(path, "sandtrap") && strings.Contains(path, mine) {
			g.groups++
		}
		return nil
	})
	return g
}

// TestSoak: sandboxes run hostile scripts and innocent ones at a time. Each run has one result, an
// innocent one its own, and nothing of what the process has grows.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for _, mode := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process, sandtrap.Kernel} {
		t.Run(string(mode), func(t *testing.T) {
			if mode == sandtrap.Kernel {
				needKernel(t)
			}
			soakMode(t, mode)
		})
	}
}

func soakMode(t *testing.T, mode sandtrap.Isolation) {
	before := read(t)
	plan, err := sandtrap.Compile(sandtrap.Policy{
		Std: []string{"fmt", "regexp", "strings"}, Isolation: mode,
		Limits: sandtrap.Limits{Timeout: 20 * time.Second, Ticks: 200_000, Memory: 16 << 20, Output: 64 << 10, Tasks: 50, Depth: 500},
		Funcs:  map[string]any{"fail": func() { panic("the host's") }, "double": func(n int) int { return 2 * n }},
	})
	if err != nil {
		t.Fatal(err)
	}
	n := soaked
	if *soak < time.Minute {
		n = briefly
	}
	boxes := make([]*sandtrap.Sandbox, n)
	for i := range boxes {
		if boxes[i], err = plan.New(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	s := &soaking{T: t}
	s.rounds(boxes, 0) // what is made once is there
	s.rounds(boxes, 0)
	first := read(t)
	s.rounds(boxes, *soak)
	last := settledGauge(t, func(g gauge) bool { return g.over(first, soakSlack) == "" })
	t.Logf("%d runs, %d of them innocent; at first %+v, at last %+v", s.runs.Load(), s.innocent.Load(), first, last)
	if what := last.over(first, soakSlack); what != "" {
		t.Errorf("%s has grown", what)
	}
	for _, box := range boxes {
		box.Close()
	}
	boxes = nil
	after := settledGauge(t, func(g gauge) bool { return g.over(before, restSlack) == "" })
	if what := after.over(before, restSlack); what != "" {
		t.Errorf("%s is left of closed sandboxes: %+v, before them %+v", what, after, before)
	}
}

var (
	// soakSlack is what may be more at a moment of the soak than at another: a worker that is being replaced,
	// the largest frame that each connection has read, and the runtime's own tables of a larger heap.
	soakSlack = gauge{heap: 8 << 20, rss: 48 << 20, descriptors: 64, goroutines: 64, processes: 16, groups: 64}
	// restSlack is what stays for the next workers: what starts them, with its groups.
	restSlack = gauge{heap: 8 << 20, rss: 64 << 20, descriptors: 24, goroutines: 16, processes: 2, groups: 256}
)

// over names what of g is more than of and slack together, "" if nothing is.
func (g gauge) over(of, slack gauge) string {
	for _, f := range []struct {
		name          string
		is, was, more int64
	}{
		{"heap", g.heap, of.heap, slack.heap}, {"resident memory", g.rss, of.rss, slack.rss},
		{"number of descriptors", g.descriptors, of.descriptors, slack.descriptors},
		{"number of goroutines", g.goroutines, of.goroutines, slack.goroutines},
		{"number of processes", g.processes, of.processes, slack.processes},
		{"number of control groups", g.groups, of.groups, slack.groups},
	} {
		if f.is > f.was+f.more {
			return f.name
		}
	}
	return ""
}

// settledGauge reads until what ends by itself has ended.
func settledGauge(t *testing.T, is func(gauge) bool) gauge {
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if g := read(t); is(g) || time.Now().After(end) {
			return g
		}
	}
}

// soaking is what a soak has counted.
type soaking struct {
	*testing.T
	runs, innocent atomic.Int64
}

// rounds has each sandbox run scripts for so long, each script once at least.
func (s *soaking) rounds(boxes []*sandtrap.Sandbox, long time.Duration) {
	end := time.Now().Add(long)
	var all sync.WaitGroup
	var got atomic.Int64
	before := s.runs.Load()
	for i, box := range boxes {
		all.Go(func() {
			for n := 0; n == 0 || time.Now().Before(end) && !s.Failed(); n++ {
				s.innocentRun(box, i*1000+n%1000)
				got.Add(1)
				s.hostileRun(box, hostileScripts[(i+n)%len(hostileScripts)])
				got.Add(1)
			}
		})
	}
	all.Wait()
	if runs := s.runs.Load() - before; got.Load() != runs {
		s.Errorf("%d runs have %d results", runs, got.Load())
	}
}

func (s *soaking) innocentRun(box *sandtrap.Sandbox, n int) {
	s.runs.Add(1)
	s.innocent.Add(1)
	const text = `sum := 0
		for i := range 100 { sum += i * n }
		got := fmt.Sprint(n, " ", double(sum))
		fmt.Print(got)`
	res, err := box.Run(context.Background(), sandtrap.Script{Text: text, Inputs: map[string]any{"n": n}})
	if want := fmt.Sprint(n, " ", 2*4950*n); err != nil || res.Vars["got"] != want || res.Stdout != want {
		s.Errorf("run %d: %v, %q, %v, want %s", n, res.Vars["got"], res.Stdout, err, want)
	}
}

func (s *soaking) hostileRun(box *sandtrap.Sandbox, script soakScript) {
	s.runs.Add(1)
	res, err := box.Run(context.Background(), sandtrap.Script{Text: script.text})
	kind := sandtrap.Kind("")
	if res.Error != nil {
		kind = res.Error.Kind
	}
	if !slices.Contains(script.ends, kind) || (err == nil) != (kind == "") {
		s.Errorf("%s\nended with %v, want one of %q", script.text, err, script.ends)
	}
}
