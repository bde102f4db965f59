package cli_test

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestFrontsReplaced: servers of a cluster are replaced one after the other while runs go on, by clients that try again at another one
// with the same key of the run. None is lost, and none has two outcomes. SANDTRAPD_TEST_OLD names the program of an older build, which is
// replaced then; without it they are of this one.
func TestFrontsReplaced(t *testing.T) {
	key := workerKey(t, t.TempDir(), "w1")
	c := startNATS(t, key)
	js := c.ready()
	startWorker(t, c.workersURL(), key)
	flags := []string{"--cluster", c.url(), "--cluster-replicas", "3"}
	old := func(cmd *exec.Cmd) {
		if program := os.Getenv("SANDTRAPD_TEST_OLD"); program != "" {
			args, _ := strings.CutPrefix(cmd.Env[len(cmd.Env)-1], "SANDTRAPD_TEST_ARGS=")
			cmd.Path, cmd.Args = program, append([]string{program}, strings.Split(args, "\n")...)
		}
	}
	dirs := []string{t.TempDir(), t.TempDir()}
	var list [2]atomic.Pointer[process]
	for i := range list {
		list[i].Store(serveAs(t, dirs[i], old, flags...))
	}
	outcomes := watchOutcomes(t, js)
	stop := make(chan struct{})
	var all sync.WaitGroup
	var begun atomic.Int64
	var ids sync.Map
	for client := range 8 {
		all.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				body := map[string]any{
					"code":            fmt.Sprintf(`time.Sleep(50*time.Millisecond); fmt.Println(%d, %d)`, client, i),
					"idempotency_key": fmt.Sprint(client, "-", i),
				}
				begun.Add(1)
				for try := 0; ; try++ {
					v, err := list[(client+try)%2].Load().request(t.Context(), "POST", "/v1/runs", body)
					if err == nil && v.status < 300 && v.State == "done" {
						if want := fmt.Sprintf("%d %d\n", client, i); v.Result.Stdout != want {
							t.Errorf("%+v, want %q", v, want)
						}
						ids.Store(v.ID, v.Result.Stdout)
						break
					}
					if try > 600 || err == nil && v.status < 300 && v.State != "running" {
						t.Errorf("run %d of client %d: %v, %+v", i, client, err, v)
						break
					}
					time.Sleep(50 * time.Millisecond)
				}
			}
		})
	}
	goOn := func() {
		at := begun.Load()
		until(t, "more runs", func() bool { return begun.Load() > at+40 })
	}
	goOn()
	for i := range list {
		p := list[i].Load()
		p.terminate()
		if err := p.wait(); err != nil {
			t.Errorf("a server that leaves: %v\n%s", err, p.log)
		}
		goOn() // with the other one
		list[i].Store(serve(t, dirs[i], flags...))
		goOn()
	}
	close(stop)
	all.Wait()
	for id, times := range outcomes(int(begun.Load())) {
		if times != 1 {
			t.Errorf("the outcome of %s was written %d times", id, times)
		}
	}
	ids.Range(func(id, stdout any) bool {
		for i := range list {
			if v, err := list[i].Load().request(t.Context(), "GET", "/v1/runs/"+id.(string), nil); err != nil || v.Result.Stdout != stdout {
				t.Errorf("%v: %v, %+v", id, err, v)
			}
		}
		return true
	})
	t.Logf("%d runs, old build %q", begun.Load(), cmp.Or(os.Getenv("SANDTRAPD_TEST_OLD"), "this one"))
}
