package cli_test

import (
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
	log logged
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

// run is what a subcommand prints.
func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := command(t, args...)
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// workerKey is the file of a key for a worker of the server in a directory.
func workerKey(t *testing.T, dir, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".key")
	if out, err := run(t, "cluster", "add-worker", name, "--data", filepath.Join(dir, "data"), "--out", file); err != nil {
		t.Fatal(err, out)
	}
	return file
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
	var keys []string
	for i := range 5 {
		keys = append(keys, workerKey(t, dir, fmt.Sprintf("w%d", i)))
	}
	p := serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	workers := []*workerProcess{startWorker(t, "nats://"+at, keys[0]), startWorker(t, "nats://"+at, keys[1]), startWorker(t, "nats://"+at, keys[2])}
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
				if told := p.told(t, v.ID); told != want {
					t.Errorf("the events tell of %q, want %q", told, want)
				}
			}
		})
	}
	for i := range 2 {
		time.Sleep(300 * time.Millisecond)
		workers[i].end(syscall.SIGKILL)
		workers = append(workers, startWorker(t, "nats://"+at, keys[3+i]))
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
	wrong, known := workerKey(t, t.TempDir(), "wrong"), workerKey(t, dir, "known")
	serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	for want, args := range map[string]string{
		"--cluster is needed":                     "",
		"--cluster-key is needed":                 "--cluster nats://" + at,
		"127.0.0.1:1: nats: no servers available": "--cluster nats://name:secret@127.0.0.1:1 --cluster-key " + known,
		"does not know the key":                   "--cluster nats://" + at + " --cluster-key " + wrong,
		"has no TLS":                              "--cluster tls://" + at + " --cluster-key " + known,
		"1 to 4096":                               "--cluster nats://" + at + " --cluster-key " + known + " --slots 0",
		"no such file":                            "--cluster nats://" + at + " --cluster-key " + dir + "/none",
		"takes no arguments":                      "--cluster nats://" + at + " more",
	} {
		out, err := run(t, append([]string{"worker", "--isolation", "none"}, strings.Fields(args)...)...)
		if err == nil || !strings.Contains(out, want) || strings.Contains(out, "secret") {
			t.Errorf("worker %s: %v, %q, want %q", args, err, out, want)
		}
	}
	for want, flags := range map[string][]string{
		"this machine alone":   {"--cluster", "embedded", "--cluster-listen", "0.0.0.0:0"},
		"want --cluster too":   {"--cluster-listen", "127.0.0.1:0"},
		"listens by itself":    {"--cluster", "nats://" + at, "--cluster-listen", "127.0.0.1:0"},
		"embedded needs none":  {"--cluster", "embedded", "--cluster-key", known},
		"key of a worker":      {"--cluster", "nats://" + at, "--cluster-key", known},
		"needed together":      {"--cluster", "embedded", "--cluster-listen", "127.0.0.1:0", "--cluster-tls-cert", known},
		"for --cluster-listen": {"--cluster", "embedded", "--cluster-tls-cert", known},
	} {
		if out, err := run(t, append([]string{"serve", "--isolation", "none", "--data", t.TempDir()}, flags...)...); err == nil || !strings.Contains(out, want) {
			t.Errorf("serve %q: %v, %q, want %q", flags, err, out, want)
		}
	}
}

// TestMembers: keys are added, listed and removed while the server goes on: it lets in those that it lists, and ends the connection of one that is removed.
func TestMembers(t *testing.T) {
	dir, at := t.TempDir(), freePort(t)
	data := filepath.Join(dir, "data")
	p := serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	key := workerKey(t, dir, "w1")
	for want, args := range map[string][]string{
		"file already exists": {"add-worker", "w1", "--data", data, "--out", filepath.Join(dir, "w1.key")},
		"takes a NAME":        {"add-front", "--data", data},
		"too much":            {"remove", "--data", data, "w1", "w2"},
		"letters, digits":     {"add-worker", "w.1", "--data", data},
		"no worker or front":  {"remove", "w2", "--data", data},
		"no command":          {"add"},
	} {
		if out, err := run(t, append([]string{"cluster"}, args...)...); err == nil || !strings.Contains(out, want) {
			t.Errorf("cluster %q: %v, %q, want %q", args, err, out, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "w1.key")); err == nil {
		t.Error("a key that is not let in was left")
	}
	if out, err := run(t, "cluster", "list", "--data", data); err != nil || !strings.HasPrefix(out, "worker\tw1\tU") || strings.Count(out, "\n") != 1 {
		t.Errorf("%v, %q", err, out)
	}
	var w *workerProcess
	until(t, "the worker is let in", func() bool {
		w = startWorker(t, "nats://"+at, key)
		until(t, "it is there or has ended", func() bool {
			return strings.Contains(p.log.String(), "worker=w1") || strings.Contains(w.log.String(), "does not know")
		})
		return strings.Contains(p.log.String(), "worker=w1")
	})
	if out, err := run(t, "cluster", "remove", "w1", "--data", data); err != nil || !strings.HasPrefix(out, "w1: removed, the worker with the key U") {
		t.Fatal(err, out)
	}
	if err := w.cmd.Wait(); err == nil || !strings.Contains(w.log.String(), "Authorization") {
		t.Errorf("the worker: %v, %q", err, w.log.String())
	}
}

// TestKeyOfNoUse: a key is not made where no server reads who is let in, but for the configuration of an external cluster. A file that is there stays.
func TestKeyOfNoUse(t *testing.T) {
	dir, other, at := t.TempDir(), t.TempDir(), freePort(t)
	serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	serve(t, other, "--cluster", "nats://"+at, "--cluster-key", frontKey(t, dir, "f2"))
	data, file, kept := filepath.Join(other, "data"), filepath.Join(t.TempDir(), "w1.key"), filepath.Join(t.TempDir(), "kept")
	if err := os.WriteFile(kept, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := run(t, "cluster", "add-worker", "w1", "--data", data, "--out", file); err == nil || !strings.Contains(out, "no key was made") || !strings.Contains(out, "--external") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a key was made")
	}
	if out, err := run(t, "cluster", "add-worker", "w1", "--external", "--data", data, "--out", file); err != nil || !strings.Contains(out, "public part, U") {
		t.Errorf("%v: %s", err, out)
	}
	for _, in := range []string{data, filepath.Join(dir, "data")} {
		out, err := run(t, "cluster", "add-worker", "w2", "--external", "--data", in, "--out", kept)
		if err == nil || !strings.Contains(out, kept+": the file already exists") {
			t.Errorf("%v: %s", err, out)
		}
	}
	if text, err := os.ReadFile(kept); err != nil || string(text) != "kept" {
		t.Errorf("%q, %v", text, err)
	}
	for _, in := range []string{data, filepath.Join(dir, "data")} {
		if out, err := run(t, "cluster", "list", "--data", in); err != nil || strings.Contains(out, "w1") || strings.Contains(out, "w2") {
			t.Errorf("%v: %s", err, out)
		}
	}
}
