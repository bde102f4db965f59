package cli_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

// A process of the tests that is told to has a small disk of its own at a directory.
func init() {
	dir := os.Getenv("SANDTRAPD_TEST_DISK")
	if dir == "" {
		return
	}
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=4m"); err != nil {
		fmt.Fprintln(os.Stderr, "no small disk:", err)
		os.Exit(1)
	}
}

// onSmallDisk has a process have a disk of 4 MiB at a directory, which nobody else sees, and its log in a file.
func onSmallDisk(t *testing.T, dir, log string) func(*exec.Cmd) {
	return func(cmd *exec.Cmd) {
		f, err := os.Create(log)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		cmd.Stderr = f
		cmd.Env = append(cmd.Env, "SANDTRAPD_TEST_DISK="+dir)
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{Size: 1, HostID: os.Getuid()}},
			GidMappings: []syscall.SysProcIDMap{{Size: 1, HostID: os.Getgid()}},
		}
	}
}

// fill writes a file until the disk is full.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}

// TestFullDisk: the outcome of a run that ends while the disk is full is written when there is room again, and the server says meanwhile
// that it is not ready.
func TestFullDisk(t *testing.T) {
	if err := exec.Command("unshare", "-Urm", "true").Run(); err != nil {
		t.Skip("this user has no user namespaces:", err)
	}
	dir := t.TempDir()
	data, policies := filepath.Join(dir, "data"), filepath.Join(dir, "policies")
	for _, d := range []string{data, policies} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(policies, "long.yaml"), []byte("limits: {timeout: 10m}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, "log")
	p := serveAs(t, dir, onSmallDisk(t, data, log), "--policies", policies)
	disk := fmt.Sprintf("/proc/%d/root%s", p.cmd.Process.Pid, data)
	run, err := p.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": "time.Sleep(time.Hour)", "policy": "long"}, "Prefer", "respond-async")
	if err != nil || run.status != 202 {
		t.Fatal(run, err)
	}
	filler := filepath.Join(disk, "filler")
	fill(t, filler)
	if v, err := p.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": "n := 1"}); err != nil || v.status != 503 {
		t.Error("a run begins: ", v, err)
	}
	p.ready(503)
	ended := make(chan view, 1)
	go func() {
		v, err := p.request(context.WithoutCancel(t.Context()), "POST", "/v1/runs/"+run.ID+"/cancel", nil)
		if err != nil {
			t.Error(err)
		}
		ended <- v
	}()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		text, err := os.ReadFile(log)
		if bytes.Contains(text, []byte(run.ID)) { // its outcome was not written
			break
		}
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("%v: %s", err, text)
		}
	}
	p.ready(503)
	if v, err := p.request(t.Context(), "GET", "/v1/runs/"+run.ID, nil); err != nil || v.State != "running" {
		t.Error("before it is written: ", v, err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if v := p.settled(run.ID); v.State != "cancelled" {
		t.Error(v)
	}
	p.ready(200)
	if v := <-ended; v.status != 200 || v.State != "cancelled" {
		t.Error("the request: ", v)
	}
	if v, err := p.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": "n := 1"}); err != nil || v.status != 200 || v.State != "done" {
		t.Error("a run after that: ", v, err)
	}
	if got, want := states(t, disk), map[string]int{"cancelled": 1, "done": 1}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("on disk: %v, want %v", got, want)
	}
}

// ready waits for a status of /readyz.
func (p *process) ready(status int) {
	p.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		res, err := p.open(p.t.Context(), "GET", "/readyz", nil)
		if err != nil {
			p.t.Fatal(err)
		}
		text, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode == status && (status == 200 || bytes.Contains(text, []byte(`"code":"storage"`))) {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("/readyz: %d %s, want %d", res.StatusCode, text, status)
		}
	}
}

// states counts the runs in a copy of a database that is in use, by their states.
func states(t *testing.T, dir string) map[string]int {
	t.Helper()
	to := t.TempDir()
	for _, name := range []string{"sandtrapd.db", "sandtrapd.db-wal"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(to, "sandtrapd.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT state, count(*) FROM run GROUP BY state`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	counts := map[string]int{}
	for rows.Next() {
		var state string
		var n int
		if err := rows.Scan(&state, &n); err != nil {
			t.Fatal(err)
		}
		counts[state] = n
	}
	return counts
}
