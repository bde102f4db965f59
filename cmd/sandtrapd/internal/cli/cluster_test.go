package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A workerProcess does runs of a server in a process of its own.
type workerProcess struct {
	cmd *exec.Cmd
	log bytes.Buffer
}

func startWorker(t *testing.T, url, key string) *workerProcess {
	t.Helper()
	return startWorkerOf(t, os.Args[0], url, key)
}

// startWorkerOf starts a worker of a program: this one, or a build of the command.
func startWorkerOf(t *testing.T, program, url, key string) *workerProcess {
	t.Helper()
	args := []string{"worker", "--cluster", url, "--cluster-key", key, "--isolation", "none", "--slots", "4"}
	w := &workerProcess{cmd: exec.Command(program, args...)}
	w.cmd.Env = append(os.Environ(), "SANDTRAPD_TEST_ARGS="+strings.Join(args, "\n"))
	w.cmd.Stderr = &w.log
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.end(syscall.SIGKILL) })
	return w
}

// end sends a signal, and waits for the end of the process.
func (w *workerProcess) end(s os.Signal) error {
	_ = w.cmd.Process.Signal(s)
	return w.cmd.Wait()
}

// freePort is a port that nothing listens at.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestWorkersKilled: runs go on while their workers are killed, and others come and leave: each has its outcome, its output once, and each
// byte of it came to the client once.
func TestWorkersKilled(t *testing.T) {
	dir, at := t.TempDir(), freePort(t)
	p := serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	key := filepath.Join(dir, "data", "cluster.key")
	if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the key of workers: %v, %v", info.Mode(), err)
	}
	workers := []*workerProcess{startWorker(t, "nats://"+at, key), startWorker(t, "nats://"+at, key), startWorker(t, "nats://"+at, key)}
	until(t, "three workers", func() bool { return strings.Count(p.log.String(), "a worker is there") == 4 }) // one is the server itself
	const clients, each = 24, 10
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for i := range each {
				want := fmt.Sprintf("%d begins %d\n%d ends %d\n", c, i, c, i)
				code := fmt.Sprintf(`fmt.Println(%d, "begins", %d); time.Sleep(150*time.Millisecond); fmt.Println(%d, "ends", %d)`, c, i, c, i)
				v, err := p.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": code})
				if err != nil || v.State != "done" || v.Result.Stdout != want {
					t.Errorf("%v, %+v", err, v)
				}
				res, err := p.open(t.Context(), "GET", "/v1/runs/"+v.ID+"/events", nil)
				if err != nil {
					t.Error(err)
					continue
				}
				var told strings.Builder
				events(res.Body, func(e event) {
					if e.kind == "stdout" {
						told.WriteString(e.printed(t))
					}
				})
				res.Body.Close()
				if told.String() != want {
					t.Errorf("the events tell of %q, want %q", told.String(), want)
				}
			}
		})
	}
	for i := range 2 {
		time.Sleep(300 * time.Millisecond)
		workers[i].end(syscall.SIGKILL)
		workers = append(workers, startWorker(t, "nats://"+at, key))
	}
	time.Sleep(100 * time.Millisecond)
	if err := workers[2].end(syscall.SIGTERM); err != nil {
		t.Errorf("a worker that is to leave: %v", err)
	}
	all.Wait()
	if !strings.Contains(p.log.String(), "a job is sent to another worker") {
		t.Error("no run was on a worker that was killed")
	}
	p.terminate()
	if err := p.wait(); err != nil {
		t.Errorf("the server: %v", err)
	}
}

// TestWorkerRefuses: a worker without the cluster, its key or a slot does not start, and says what it wants.
func TestWorkerRefuses(t *testing.T) {
	dir, at := t.TempDir(), freePort(t)
	wrong := filepath.Join(dir, "wrong.key")
	if err := os.WriteFile(wrong, []byte(strings.Repeat("x", 40)), 0o600); err != nil {
		t.Fatal(err)
	}
	serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	for want, args := range map[string]string{
		"--cluster is needed":  "",
		"no servers available": "--cluster nats://" + freePort(t),
		"Authorization":        "--cluster nats://" + at + " --cluster-key " + wrong,
		"1 to 4096":            "--cluster nats://" + at + " --slots 0",
		"no such file":         "--cluster nats://" + at + " --cluster-key " + dir + "/none",
		"takes no arguments":   "--cluster nats://" + at + " more",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		cmd := exec.CommandContext(ctx, os.Args[0])
		cmd.Env = append(os.Environ(), "SANDTRAPD_TEST_ARGS="+strings.Join(append([]string{"worker", "--isolation", "none"}, strings.Fields(args)...), "\n"))
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("worker %s: %v, %q, want %q", args, err, out, want)
		}
		cancel()
	}
	for want, flags := range map[string][]string{
		"this machine alone": {"--cluster", "embedded", "--cluster-listen", "0.0.0.0:0"},
		"want --cluster too": {"--cluster-listen", "127.0.0.1:0"},
		"listens by itself":  {"--cluster", "nats://" + at, "--cluster-listen", "127.0.0.1:0"},
	} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "SANDTRAPD_TEST_ARGS="+strings.Join(append([]string{"serve", "--isolation", "none", "--data", t.TempDir()}, flags...), "\n"))
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
			t.Errorf("serve %q: %v, %q, want %q", flags, err, out, want)
		}
	}
}
