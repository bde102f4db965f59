package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cli"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

// TestMain makes the program of the tests the server, and its own worker.
func TestMain(m *testing.M) {
	worker.Init()
	if args := os.Getenv("SANDTRAPD_TEST_ARGS"); args != "" {
		os.Exit(cli.Main(strings.Split(args, "\n"), os.Stdout, os.Stderr))
	}
	if file := os.Getenv("SANDTRAPD_TEST_NATS"); file != "" {
		os.Exit(natsMain(file))
	}
	if os.Getenv("SANDTRAPD_TEST_EFFECTS") != "" {
		os.Exit(effectsMain())
	}
	os.Exit(m.Run())
}

func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SANDTRAPD_TEST_ARGS="+strings.Join(args, "\n"))
	return cmd
}

// A process is a server in a process of its own.
type process struct {
	t    testing.TB
	cmd  *exec.Cmd
	url  string
	log  *logged
	done chan error
}

// A logged is what a process has written, while it writes.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

const token = "a-token-for-tests-that-is-long-enough-0123456789"

// serve starts a server on a data directory, and waits until it listens.
func serve(t testing.TB, dir string, flags ...string) *process {
	t.Helper()
	return serveAs(t, dir, func(*exec.Cmd) {}, flags...)
}

// serveAs is serve for a process that change has changed before it starts.
func serveAs(t testing.TB, dir string, change func(*exec.Cmd), flags ...string) *process {
	t.Helper()
	file := filepath.Join(dir, "keys")
	if err := os.WriteFile(file, []byte(token+"@alpha:user\n"+token+"-2@beta:user\n"+token+"-3@ops:operator\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(dir, "data"), "--keys", file, "--isolation", "none"}, flags...)
	p := &process{t: t, cmd: exec.Command(os.Args[0]), log: &logged{}, done: make(chan error, 1)}
	p.cmd.Env = append(os.Environ(), "SANDTRAPD_TEST_ARGS="+strings.Join(args, "\n"))
	p.cmd.Stderr = p.log
	change(p.cmd)
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.kill() })
	first, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		p.cmd.Wait()
		t.Fatalf("the server does not start: %v\n%s", err, p.log)
	}
	_, p.url, _ = strings.Cut(strings.TrimSpace(first), ": ")
	go func() { p.done <- p.cmd.Wait() }()
	return p
}

// kill ends the process as kill -9 does, and waits for that.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	p.wait()
}

// wait waits for the end of the process.
func (p *process) wait() error {
	select {
	case err := <-p.done:
		p.done <- err
		return err
	case <-time.After(2 * time.Minute):
		p.t.Error("the server does not end")
		return errors.New("it does not end")
	}
}

func (p *process) terminate() { _ = p.cmd.Process.Signal(syscall.SIGTERM) }

// A view is a run as the API shows it.
type view struct {
	ID, State string
	Result    struct {
		Stdout string
		Error  *struct{ Kind, Message string }
	}
	Pending []struct {
		ID   int
		Args json.RawMessage
	}
	status int
}

// request makes a request, and reads the response as a run. The error is about the connection.
func (p *process) request(ctx context.Context, method, path string, body any, headers ...string) (v view, err error) {
	res, err := p.open(ctx, method, path, body, headers...)
	if err != nil {
		return v, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode < 300 {
		err = json.Unmarshal(text, &v)
	}
	v.status = res.StatusCode
	return v, err
}

// client has no connections that are kept: each request meets the server that runs.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext}}

func (p *process) open(ctx context.Context, method, path string, body any, headers ...string) (*http.Response, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	q, err := http.NewRequestWithContext(ctx, method, p.url+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	q.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	return client.Do(q)
}

// settled is a run once it is not running any more.
func (p *process) settled(id string) view {
	p.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		v, err := p.request(p.t.Context(), "GET", "/v1/runs/"+id, nil)
		if err != nil || v.status != 200 {
			p.t.Fatalf("run %s: %d, %v\n%s", id, v.status, err, p.log)
		}
		if v.State != "running" {
			return v
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("run %s goes on", id)
		}
	}
}

// An event is one of a stream.
type event struct{ id, kind, data string }

// events reads a stream up to its end, or that of the connection, and tells of each event.
func events(body io.Reader, tell func(event)) {
	in := bufio.NewScanner(body)
	in.Buffer(nil, 4<<20)
	var e event
	for in.Scan() {
		name, value, _ := strings.Cut(in.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.kind = value
		case "data":
			e.data = value
		case "":
			tell(e)
			e = event{}
		}
	}
}

// printed is the text of an event of output.
func (e event) printed(t testing.TB) string {
	var data struct{ Text string }
	if err := json.Unmarshal([]byte(e.data), &data); err != nil {
		t.Errorf("event %s: %v", e.id, err)
	}
	return data.Text
}
