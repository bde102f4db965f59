package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFrontRemoved: a server whose key is removed ends, and says why. So does one with a copy of the data directory of another one, and that one
// goes on.
func TestFrontRemoved(t *testing.T) {
	dir, at, other := t.TempDir(), freePort(t), t.TempDir()
	keys := []string{frontKey(t, dir, "f2"), frontKey(t, dir, "f3")}
	flags := []string{"--cluster", "nats://" + at, "--cluster-key"}
	serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	second := serve(t, other, append(flags, keys[0])...)
	id, err := os.ReadFile(filepath.Join(other, "data", "server"))
	if err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	if err := os.Mkdir(filepath.Join(copied, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(copied, "data", "server"), id, 0o600); err != nil {
		t.Fatal(err)
	}
	third := serveAs(t, copied, startsOnly, append(flags, keys[1])...)
	if err := third.wait(); err == nil || !strings.Contains(third.log.String(), "another server of the cluster has this data directory") {
		t.Errorf("a copy: %v\n%s", err, third.log)
	}
	if !strings.Contains(second.log.String(), "another process has the data directory of this server") {
		t.Errorf("the server with the directory:\n%s", second.log)
	}
	if v, err := second.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": "n := 1"}); err != nil || v.State != "done" {
		t.Errorf("%v, %+v", err, v)
	}
	if out, err := run(t, "cluster", "remove", "f2", "--data", filepath.Join(dir, "data")); err != nil {
		t.Fatal(err, out)
	}
	if err := second.wait(); err == nil || !strings.Contains(second.log.String(), "its key was removed") {
		t.Errorf("a server that was removed: %v\n%s", err, second.log)
	}
	out, err := run(t, "cluster", "add-worker", "w9", "--data", filepath.Join(other, "data"), "--out", filepath.Join(t.TempDir(), "w9.key"))
	if err == nil || !strings.Contains(out, "no key was made") {
		t.Errorf("a key that nobody lets in: %v, %s", err, out)
	}
	if out, err := run(t, "cluster", "add-worker", "w9", "--data", filepath.Join(dir, "data"), "--out", filepath.Join(t.TempDir(), "w9.key")); err != nil || strings.Contains(out, "no key") {
		t.Errorf("a key that is let in: %v, %s", err, out)
	}
}

// TestOrderlyEnd: servers and workers that are told to end log no fault of the cluster, and neither do those that stay.
func TestOrderlyEnd(t *testing.T) {
	dir, at, other := t.TempDir(), freePort(t), t.TempDir()
	key := frontKey(t, dir, "f2")
	first := serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	second := serve(t, other, "--cluster", "nats://"+at, "--cluster-key", key)
	w := startWorker(t, "nats://"+at, workerKey(t, dir, "w1"))
	until(t, "the worker", func() bool {
		return strings.Contains(first.log.String(), "worker=w1") && strings.Contains(second.log.String(), "worker=w1")
	})
	for range 4 {
		if v, err := second.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": "time.Sleep(time.Minute)"}, "Prefer", "respond-async"); err != nil || v.status != 202 {
			t.Fatal(v, err)
		}
	}
	until(t, "they go on", func() bool {
		return strings.Contains(get(t, first.url+"/v1/cluster"), `"name":"w1","slots":4,"running":`)
	})
	second.terminate()
	if err := second.wait(); err != nil {
		t.Error(err)
	}
	if err := w.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	until(t, "the worker has left", func() bool { return strings.Contains(first.log.String(), "a worker has left") })
	first.terminate()
	if err := first.wait(); err != nil {
		t.Error(err)
	}
	for who, log := range map[string]string{"the first server": first.log.String(), "the second one": second.log.String(), "the worker": w.log.String()} {
		for _, fault := range []string{"level=ERROR", "the cluster is gone", "is silent", "context canceled"} {
			if strings.Contains(log, fault) {
				t.Errorf("%s logs %q:\n%s", who, fault, log)
			}
		}
	}
}

func startsOnly(*exec.Cmd) {}
