package cli_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// soakClients is how many clients TestSoak has, half of each tenant.
const soakClients = 64

// TestSoak: a server that many clients use has neither more memory nor more descriptors as time goes by, and leaves no process and no
// control group behind. What is counted is what the kernel says of the process. SANDTRAPD_SOAK is how long the clients go on: the
// memory is compared from ten minutes on. SANDTRAPD_SOAK_ISOLATION is the isolation of the server.
func TestSoak(t *testing.T) {
	length, isolation := 3*time.Second, "none"
	if text := os.Getenv("SANDTRAPD_SOAK"); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	if text := os.Getenv("SANDTRAPD_SOAK_ISOLATION"); text != "" {
		isolation = text
	}
	p := serve(t, t.TempDir(), "--isolation", isolation, "--keep-runs", "1000")
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	s := &soak{process: p, done: map[string]int{}}
	s.each(t.Context(), 0) // whatever is opened once is open
	before := look(p.cmd.Process.Pid)
	var clients sync.WaitGroup
	for c := range soakClients {
		clients.Go(func() { s.client(ctx, c) })
	}
	var seen []sight
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(max(length/360, 100*time.Millisecond)):
			seen = append(seen, look(p.cmd.Process.Pid))
			if n := len(seen); n%36 == 0 {
				t.Logf("%s, %d requests", seen[n-1], s.requests.Load())
			}
		}
	}
	clients.Wait()
	t.Logf("%d requests: %v", s.requests.Load(), s.done)
	if length >= 10*time.Minute { // before that the plans that clients have made are still becoming more
		flat(t, seen)
	}
	s.rests(t, before)
	p.terminate()
	if err := p.wait(); err != nil {
		t.Errorf("%v\n%s", err, p.log)
	}
	if after := look(p.cmd.Process.Pid); after.processes+after.groups > 0 {
		t.Errorf("the server has ended and has left %s", after)
	}
}

// A soak is what clients do to a server.
type soak struct {
	*process
	requests atomic.Int64
	mu       sync.Mutex
	done     map[string]int
}

// client does one thing after the other. It rests between them, so that the server has some of the processor left.
func (s *soak) client(ctx context.Context, c int) {
	for ctx.Err() == nil {
		s.one(ctx, rand.IntN(len(soakKinds)), c)
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(rand.IntN(5000)) * time.Millisecond):
		}
	}
}

// each does each thing once.
func (s *soak) each(ctx context.Context, c int) {
	for i := range soakKinds {
		s.one(ctx, i, c)
	}
}

func (s *soak) one(ctx context.Context, i, c int) {
	k := soakKinds[i]
	if err := k.do(s, ctx, []string{token, token + "-2"}[c%2]); err != nil && ctx.Err() == nil {
		s.t.Errorf("%s: %v", k.name, err)
	}
	s.mu.Lock()
	s.done[k.name]++
	s.mu.Unlock()
}

var soakKinds = []struct {
	name string
	do   func(s *soak, ctx context.Context, key string) error
}{
	{"run", func(s *soak, ctx context.Context, key string) error {
		return s.want(ctx, key, "POST", "/v1/runs", map[string]any{"code": fmt.Sprintf("fmt.Println(%d)", rand.Int())}, "done")
	}},
	{"memory", func(s *soak, ctx context.Context, key string) error {
		return s.want(ctx, key, "POST", "/v1/runs", map[string]any{"code": "var all [][]byte\nfor { all = append(all, make([]byte, 1<<20)) }"}, "failed")
	}},
	{"panic", func(s *soak, ctx context.Context, key string) error {
		return s.want(ctx, key, "POST", "/v1/runs", map[string]any{"code": "go func() { panic(1) }()\nselect {}"}, "failed")
	}},
	{"timeout", func(s *soak, ctx context.Context, key string) error {
		return s.want(ctx, key, "POST", "/v1/runs", map[string]any{"code": "for {}", "timeout_ms": 20}, "failed")
	}},
	{"artifact", func(s *soak, ctx context.Context, key string) error {
		code := fmt.Sprintf("import \"os\"\nos.WriteFile(\"a.txt\", []byte(strings.Repeat(%q, 10000)), 0o644)\nfmt.Println(1)", fmt.Sprint(rand.Int()))
		return s.want(ctx, key, "POST", "/v1/runs", map[string]any{"code": code}, "done")
	}},
	{"tool", (*soak).tool}, {"stream", (*soak).stream}, {"abort", (*soak).abort}, {"session", (*soak).session},
}

// want makes a request whose run is to be in that state.
func (s *soak) want(ctx context.Context, key, method, path string, body any, state string) error {
	v, err := s.ask(ctx, key, method, path, body)
	if err == nil && v.State != state {
		err = fmt.Errorf("%s %s: %+v", method, path, v)
	}
	return err
}

func (s *soak) ask(ctx context.Context, key, method, path string, body any) (view, error) {
	s.requests.Add(1)
	v, err := s.request(ctx, method, path, body, "Authorization", "Bearer "+key)
	if err == nil && v.status >= 300 {
		err = fmt.Errorf("%s %s: %d", method, path, v.status)
	}
	return v, err
}

func (s *soak) tool(ctx context.Context, key string) error {
	v, err := s.ask(ctx, key, "POST", "/v1/runs", map[string]any{"code": "s, err := Effect(\"x\")\nfmt.Println(s, err)", "tools": tools})
	if err != nil {
		return err
	}
	answers := map[string]any{"answers": []any{map[string]any{"id": 1, "value": "y"}}}
	return s.want(ctx, key, "POST", "/v1/runs/"+v.ID+"/answers", answers, "done")
}

// stream reads a stream up to its end, with pauses.
func (s *soak) stream(ctx context.Context, key string) error {
	s.requests.Add(1)
	res, err := s.open(ctx, "POST", "/v1/runs", map[string]any{"code": "for i := range 200 { fmt.Println(i, strings.Repeat(\"x\", 500)) }"},
		"Accept", "text/event-stream", "Authorization", "Bearer "+key)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	last := ""
	events(res.Body, func(e event) { last = e.kind })
	if last != "result" {
		return fmt.Errorf("the stream ends with %q", last)
	}
	return nil
}

// abort is gone in the middle of a stream.
func (s *soak) abort(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(rand.IntN(100))*time.Millisecond)
	defer cancel()
	s.requests.Add(1)
	if res, err := s.open(ctx, "POST", "/v1/runs", map[string]any{"code": "fmt.Println(1)\nfor {}"}, "Accept", "text/event-stream", "Authorization", "Bearer "+key); err == nil {
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
	return nil
}

// session uses a session from its begin to its end.
func (s *soak) session(ctx context.Context, key string) error {
	v, err := s.ask(ctx, key, "POST", "/v1/sessions", map[string]any{})
	if err != nil {
		return err
	}
	defer s.ask(context.WithoutCancel(ctx), key, "DELETE", "/v1/sessions/"+v.ID, nil) // what a client leaves is not what is looked for
	if err := s.want(ctx, key, "POST", "/v1/runs", map[string]any{"code": "x := 1", "session": v.ID}, "done"); err != nil {
		return err
	}
	if _, err := s.ask(ctx, key, "POST", "/v1/sessions/"+v.ID+"/save", map[string]any{}); err != nil {
		return err
	}
	return s.want(ctx, key, "POST", "/v1/runs", map[string]any{"code": "fmt.Println(x)", "session": v.ID}, "done")
}

// rests waits until the server has no more descriptors, processes and groups than before, as it may keep what it has ready.
func (s *soak) rests(t *testing.T, before sight) {
	t.Helper()
	client.CloseIdleConnections()
	var now sight
	const within = 7 * time.Minute // workers wait five minutes for their tenants
	for deadline := time.Now().Add(within); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		now = look(s.cmd.Process.Pid)
		if now.descriptors <= before.descriptors+8 && now.processes <= before.processes+2 && now.groups <= before.groups+2 {
			t.Logf("before %s, after %s", before, now)
			return
		}
	}
	t.Errorf("before the clients came the server had %s, after them %s", before, now)
}

// flat compares the memory of the second sixth of the time with that of the last one. Descriptors and processes are as many as there are
// requests at the time: rests counts those.
func flat(t *testing.T, seen []sight) {
	t.Helper()
	middle := func(part []sight) int {
		var all []int
		for _, s := range part {
			all = append(all, s.memory)
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	n := len(seen) / 6
	begin, end := middle(seen[n:2*n]), middle(seen[5*n:])
	t.Logf("%d KB of memory, and at the end %d", begin, end)
	if end > begin+begin/4 {
		t.Errorf("%d KB of memory, and at the end %d", begin, end)
	}
}

// A sight is what the kernel says of a process and its children.
type sight struct{ memory, descriptors, processes, groups int }

func (s sight) String() string {
	return fmt.Sprintf("%d KB, %d descriptors, %d processes below it, %d control groups", s.memory, s.descriptors, s.processes, s.groups)
}

func look(pid int) (s sight) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			s.memory, _ = strconv.Atoi(strings.Fields(rest)[0])
		}
	}
	open, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	s.descriptors = len(open)
	s.processes = len(below(pid))
	mine := fmt.Sprintf("sandtrap-%d-", pid)
	_ = filepath.WalkDir("/sys/fs/cgroup", func(_ string, d fs.DirEntry, err error) error { // groups come and go
		if err == nil && strings.HasPrefix(d.Name(), mine) {
			s.groups++
		}
		return nil
	})
	return s
}

// below has the processes that descend from one.
func below(pid int) (all []int) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, name := range threads {
		text, _ := os.ReadFile(name)
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				all = append(append(all, child), below(child)...)
			}
		}
	}
	return all
}
