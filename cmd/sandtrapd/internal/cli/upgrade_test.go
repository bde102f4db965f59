package cli_test

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestWorkersReplaced: workers are replaced one after the other while runs go on. None is lost or done twice: each ends where it was begun.
// SANDTRAPD_TEST_OLD names the program of an older build, whose workers are replaced then; without it they are of this one.
func TestWorkersReplaced(t *testing.T) {
	dir, at := t.TempDir(), freePort(t)
	p := serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	started := 0
	start := func(program string) *workerProcess {
		t.Helper()
		started++
		before := strings.Count(p.log.String(), "a worker is there")
		w := startWorkerOf(t, program, "nats://"+at, workerKey(t, dir, fmt.Sprint("w", started)))
		until(t, "a worker", func() bool { return strings.Count(p.log.String(), "a worker is there") > before })
		return w
	}
	old := cmp.Or(os.Getenv("SANDTRAPD_TEST_OLD"), os.Args[0])
	workers := []*workerProcess{start(old), start(old)}
	stop := make(chan struct{})
	var all sync.WaitGroup
	for c := range 12 {
		all.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				code := fmt.Sprintf(`fmt.Println(%d, "begins", %d); time.Sleep(200*time.Millisecond); fmt.Println("ends")`, c, i)
				v, err := p.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": code})
				if err != nil || v.State != "done" || v.Result.Stdout != fmt.Sprintf("%d begins %d\nends\n", c, i) {
					t.Errorf("%v, %+v", err, v)
				}
			}
		})
	}
	for _, w := range workers {
		start(os.Args[0])
		if err := w.end(syscall.SIGTERM); err != nil {
			t.Errorf("a worker that leaves: %v\n%s", err, w.log.String())
		}
	}
	close(stop)
	all.Wait()
	if strings.Contains(p.log.String(), "is sent to another worker") {
		t.Errorf("a run was done twice:\n%s", p.log)
	}
}
