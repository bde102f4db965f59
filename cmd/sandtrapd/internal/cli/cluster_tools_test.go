package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// effects are what clients have done for calls of runs, each by its run and its id.
type effects struct {
	mu   sync.Mutex
	done map[string]int
}

// do does what a call wants, and says what came of it.
func (e *effects) do(run string, call int) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.done[fmt.Sprint(run, " ", call)]++
	return fmt.Sprintf("effect of %d", call)
}

// TestToolsKilled: runs with tools go on while their workers are killed: each call of each run is seen once, all answers come, and each byte
// of output is told once. SANDTRAPD_KILLS is how many workers are killed.
func TestToolsKilled(t *testing.T) {
	kills := 3
	if text := os.Getenv("SANDTRAPD_KILLS"); text != "" {
		kills, _ = strconv.Atoi(text)
	}
	dir, at := t.TempDir(), freePort(t)
	p := serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	started := 0
	start := func() *workerProcess {
		started++
		return startWorker(t, "nats://"+at, workerKey(t, dir, fmt.Sprint("w", started)))
	}
	workers := []*workerProcess{start(), start(), start()}
	until(t, "three workers", func() bool { return strings.Count(p.log.String(), "a worker is there") == 4 }) // one is the server itself
	table := &effects{done: map[string]int{}}
	over := make(chan struct{})
	var clients sync.WaitGroup
	var mu sync.Mutex
	runs := 0
	for range 16 {
		clients.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-over:
					return
				default:
				}
				table.run(t, p)
				mu.Lock()
				runs++
				mu.Unlock()
			}
		})
	}
	for i := range kills {
		time.Sleep(300 * time.Millisecond)
		workers[i].end(syscall.SIGKILL)
		workers = append(workers, start())
	}
	close(over)
	clients.Wait()
	if len(table.done) != 2*runs || runs == 0 {
		t.Errorf("%d calls of %d runs", len(table.done), runs)
	}
	for call, times := range table.done {
		if times != 1 {
			t.Errorf("call %s was seen %d times", call, times)
		}
	}
	if !strings.Contains(p.log.String(), "a job is sent to another worker") {
		t.Error("no run was on a worker that was killed")
	}
	t.Logf("%d runs, %d parts that were done again", runs, strings.Count(p.log.String(), "a job is sent to another worker"))
}

// run is a client with one run of two calls, of which the second tells what the script had before the first one.
func (e *effects) run(t *testing.T, p *process) {
	const code = `spin := func() { x := 0; for i := range 2_000_000 { x += i } }
		n := rand.IntN(1 << 40)
		fmt.Println(n)
		spin()
		s, err := Effect("first")
		fmt.Println(s, err)
		spin()
		s, err = Effect(fmt.Sprint(n))
		fmt.Println(s, err)`
	v, err := p.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": code, "tools": tools})
	args := []string{"first", ""}
	var said []string
	for ; err == nil && v.State == "pending" && len(said) < 2; v, err = e.answer(t, p, v, &said) {
		var arg struct{ Tag string }
		if len(v.Pending) != 1 || json.Unmarshal(v.Pending[0].Args, &arg) != nil {
			t.Errorf("%+v", v)
			return
		}
		if args[1] == "" {
			args[1] = strings.TrimSpace(v.Result.Stdout)
		}
		if arg.Tag != args[len(said)] {
			t.Errorf("run %s calls with %q, want %q", v.ID, arg.Tag, args[len(said)])
		}
	}
	if err != nil || v.State != "done" || len(said) != 2 {
		t.Errorf("%v, %+v after %q", err, v, said)
		return
	}
	want := fmt.Sprintf("%s\n%s <nil>\n%s <nil>\n", args[1], said[0], said[1])
	if told := p.told(t, v.ID); v.Result.Stdout != want || told != want {
		t.Errorf("run %s printed %q, and the events tell of %q, want %q", v.ID, v.Result.Stdout, told, want)
	}
}

// answer does what a call that waits wants, and answers it.
func (e *effects) answer(t *testing.T, p *process, v view, said *[]string) (view, error) {
	value := e.do(v.ID, v.Pending[0].ID)
	*said = append(*said, value)
	return p.request(t.Context(), "POST", "/v1/runs/"+v.ID+"/answers", map[string]any{"answers": []any{map[string]any{"id": v.Pending[0].ID, "value": value}}})
}

// told is the output that the events of a run tell of.
func (p *process) told(t *testing.T, id string) string {
	res, err := p.open(t.Context(), "GET", "/v1/runs/"+id+"/events", nil)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer res.Body.Close()
	var told strings.Builder
	events(res.Body, func(e event) {
		if e.kind == "stdout" {
			told.WriteString(e.printed(t))
		}
	})
	return told.String()
}
