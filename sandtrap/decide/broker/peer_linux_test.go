package broker_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide/broker"
)

// nobody is a user that is not the one of the tests.
const nobody = 65534

// TestMain is also what the other process of these tests does.
func TestMain(m *testing.M) {
	switch path := os.Getenv("BROKER_TEST_PATH"); os.Getenv("BROKER_TEST") {
	case "listen":
		l, err := net.Listen("unix", path)
		if err == nil {
			err = os.Chmod(path, 0o666)
		}
		fmt.Println(err)
		for err == nil {
			_, err = l.Accept()
		}
	case "connect":
		c, err := net.Dial("unix", path)
		if err == nil {
			fmt.Fprintln(c, `{"v":1,"id":1,"kind":"decide","call":{}}`)
			c.(*net.UnixConn).CloseWrite()
			answer, _ := io.ReadAll(c)
			err = fmt.Errorf("answer %q", answer)
		}
		fmt.Println(err)
	default:
		os.Exit(m.Run())
	}
}

// other starts a process of user nobody, and gives the line it prints.
func other(t *testing.T, do, path string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
	program := filepath.Join(openDir(t), "other") // nobody may not reach the program of the tests
	text, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(program, text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Dir = "/"
	cmd.Env = []string{"BROKER_TEST=" + do, "BROKER_TEST_PATH=" + path}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	buf := make([]byte, 1000)
	n, err := out.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(buf[:n]))
}

// openDir is a directory that any user may use.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "broker") // the directories of T.TempDir are closed
	if err == nil {
		err = os.Chmod(dir, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// TestBrokerOfAnotherUser: it is refused, unless it is the one that is wanted.
func TestBrokerOfAnotherUser(t *testing.T) {
	noGoroutines(t)
	path := filepath.Join(openDir(t), "broker")
	if got := other(t, "listen", path); got != "<nil>" {
		t.Fatal(got)
	}
	for _, test := range []struct {
		o    broker.Options
		want string
	}{
		{broker.Options{}, "it is user 65534's, not user 0's"},
		{broker.Options{UID: new(1)}, "it is user 65534's, not user 1's"},
		{broker.Options{UID: new(nobody), GID: new(0)}, "its group is 65534, not 0"},
		{broker.Options{UID: new(nobody)}, ""},
		{broker.Options{UID: new(nobody), GID: new(nobody)}, ""},
	} {
		c, err := broker.Dial(path, test.o)
		if (err == nil) != (test.want == "") || err != nil && !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%+v: %v; want %q", test.o, err, test.want)
		}
		if err == nil {
			c.Close()
		}
	}
}

// TestReplaced: a socket that another user puts in the place of a broker that has ended is not asked.
func TestReplaced(t *testing.T) {
	path := filepath.Join(openDir(t), "broker")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- broker.Serve(ctx, l, nil, nil) }()
	c := dial(t, path, broker.Options{})
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := other(t, "listen", path); got != "<nil>" {
		t.Fatal(got)
	}
	for deadline := time.Now().Add(10 * time.Second); ; {
		err := request(c, "decide")
		if err == nil || time.Now().After(deadline) {
			t.Fatalf("%v", err)
		}
		if strings.HasSuffix(err.Error(), "it is user 65534's, not user 0's") {
			return
		}
	}
}

// TestClientOfAnotherUser: the socket is its owner's, and a client that comes by it all the same is not served.
func TestClientOfAnotherUser(t *testing.T) {
	path := filepath.Join(openDir(t), "broker")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- broker.Serve(ctx, l, decider(func(context.Context, decide.Call) (decide.Ruling, error) {
			return decide.Ruling{Allow: true}, nil
		}), nil)
	}()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	if err := request(dial(t, path, broker.Options{}), "decide"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != os.ModeSocket|0o600 {
		t.Fatalf("%v, %v", info.Mode(), err)
	}
	if got := other(t, "connect", path); !strings.HasSuffix(got, "permission denied") {
		t.Errorf("by the socket: %s", got)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := other(t, "connect", path); got != `answer ""` {
		t.Errorf("by a socket for all: %s", got)
	}
}

// TestNotASocket: Serve takes only what it can protect.
func TestNotASocket(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "broker"))
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(l.Addr().String())
	if err := broker.Serve(t.Context(), l, nil, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a socket without a file: %v", err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("it is still open: %v", err)
	}
	if err := broker.Serve(t.Context(), struct{ net.Listener }{l}, nil, nil); err == nil || !strings.Contains(err.Error(), "not a unix socket") {
		t.Error(err)
	}
}

// TestBadQuestions: a client that does not keep to the protocol is not served any more.
func TestBadQuestions(t *testing.T) {
	noGoroutines(t)
	path := serve(t, decider(func(ctx context.Context, _ decide.Call) (decide.Ruling, error) {
		<-ctx.Done()
		return decide.Ruling{Allow: true}, nil
	}), nil)
	for name, text := range map[string]string{
		"no JSON":            "hello\n",
		"another version":    `{"v":2,"id":1,"kind":"decide","call":{}}` + "\n",
		"unknown kind":       `{"v":1,"id":1,"kind":"decided","call":{}}` + "\n",
		"no call":            `{"v":1,"id":1,"kind":"decide"}` + "\n",
		"no requests":        `{"v":1,"id":1,"kind":"ask"}` + "\n",
		"both":               `{"v":1,"id":1,"kind":"decide","call":{},"requests":[]}` + "\n",
		"an unknown key":     `{"v":1,"id":1,"kind":"decide","call":{"dryRun":true}}` + "\n",
		"twice the same id":  strings.Repeat(`{"v":1,"id":1,"kind":"decide","call":{}}`+"\n", 2),
		"a cancel of a call": `{"v":1,"id":1,"kind":"cancel","call":{}}` + "\n",
	} {
		its, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(its, text); err != nil {
			t.Fatal(err)
		}
		its.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, err := io.ReadAll(its); err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%s: %v", name, err)
		}
		its.Close()
	}
}
