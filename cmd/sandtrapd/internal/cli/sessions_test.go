package cli_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestSessionsMoved: two servers share sessions by a cluster of NATS, and one of the two is killed or ended now and then: each session has
// what its cells that are done have left, and no other, at both. A cell that was cut off has failed, and left nothing. SANDTRAPD_SESSIONS is
// how many sessions there are.
func TestSessionsMoved(t *testing.T) {
	c := startNATS(t)
	c.ready()
	flags := []string{"--cluster", c.url(), "--cluster-replicas", "3"}
	dirs := []string{t.TempDir(), t.TempDir()}
	var fronts [2]atomic.Pointer[process]
	for i := range fronts {
		fronts[i].Store(serve(t, dirs[i], flags...))
	}
	const cells = 12
	n := times("SANDTRAPD_SESSIONS", 12)
	ask := func(i int, method, path string, body any) (v view) {
		for try := i; ; try++ {
			var err error
			v, err = fronts[try%2].Load().request(t.Context(), method, path, body)
			if err == nil && v.status < 300 && v.State != "running" || t.Context().Err() != nil {
				return v
			}
			if err == nil && v.status/100 == 4 && v.status != 429 || try > i+600 {
				t.Errorf("%s %s: %v, %+v", method, path, err, v)
				return v
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	var all sync.WaitGroup
	var cut, done atomic.Int64
	var longest atomic.Int64
	for i := range n {
		all.Go(func() {
			id := ask(i, "POST", "/v1/sessions", map[string]any{}).ID
			for ask(i, "POST", "/v1/runs", map[string]any{"session": id, "code": "list := \"\""}).State != "done" && !t.Failed() {
			}
			want := ""
			for k := range cells {
				began := time.Now()
				v := ask(i+k, "POST", "/v1/runs", map[string]any{
					"session": id, "idempotency_key": fmt.Sprint(id, " ", k),
					"code": fmt.Sprintf("if err := os.WriteFile(\"f%d\", []byte(list), 0o600); err != nil { panic(err) }\nlist += \"%d \"\nfmt.Print(list)", k%3, k),
				})
				longest.Store(max(longest.Load(), int64(time.Since(began))))
				switch {
				case v.State == "done" && v.Result.Stdout == fmt.Sprintf("%s%d ", want, k):
					want = v.Result.Stdout
					done.Add(1)
				case v.State == "failed" && v.Result.Error.Kind == "interrupted":
					cut.Add(1)
				default:
					t.Errorf("cell %d of %s: %+v; it had %q", k, id, v, want)
					return
				}
				time.Sleep(100 * time.Millisecond)
			}
			for at := range 2 {
				var v view
				for v.State != "done" && !t.Failed() {
					v = ask(at, "POST", "/v1/runs", map[string]any{"session": id, "code": "fmt.Print(list)"})
				}
				if v.Result.Stdout != want {
					t.Errorf("%s has %q, want %q", id, v.Result.Stdout, want)
				}
			}
		})
	}
	ended := make(chan struct{})
	go func() { all.Wait(); close(ended) }()
	for i := 0; ; i++ {
		select {
		case <-ended:
			t.Logf("%d cells are done, %d were cut off by %d ends of a server; the longest took %v", done.Load(), cut.Load(), i, time.Duration(longest.Load()))
			return
		case <-time.After(1500 * time.Millisecond):
		}
		p := fronts[i%2].Load()
		if i%3 == 2 {
			_ = p.cmd.Process.Signal(syscall.SIGTERM)
			p.wait()
		} else {
			p.kill()
		}
		fronts[i%2].Store(serve(t, dirs[i%2], flags...))
	}
}
