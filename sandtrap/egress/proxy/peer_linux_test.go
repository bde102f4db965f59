package proxy_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress/proxy"
)

// nobody is a user that is not the one of the tests.
const nobody = 65534

// TestMain is also what the other process of these tests does: it says what it is told to, and prints the answer.
func TestMain(m *testing.M) {
	path := os.Getenv("PROXY_TEST_PATH")
	if path == "" {
		os.Exit(m.Run())
	}
	c, err := net.Dial("unix", path)
	if err == nil {
		var text []byte
		text, err = io.ReadAll(os.Stdin)
		c.Write(text)
		c.(*net.UnixConn).CloseWrite()
		io.Copy(os.Stdout, c)
	}
	if err != nil {
		fmt.Print(err)
	}
}

// other has another process, of a user, say text to the proxy, and gives the answer. hold is called when it has begun.
func (r *rig) other(t *testing.T, uid int, text string, hold func(pid int)) string {
	t.Helper()
	program := filepath.Join(filepath.Dir(r.path), "other")
	if _, err := os.Stat(program); err != nil {
		self, err := os.ReadFile(os.Args[0])
		if err == nil {
			err = os.WriteFile(program, self, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program)
	cmd.Dir = "/"
	cmd.Env = []string{"PROXY_TEST_PATH=" + r.path}
	if uid != os.Geteuid() {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	hold(cmd.Process.Pid)
	io.WriteString(in, text)
	in.Close()
	cmd.Wait()
	return out.String()
}

// openDir makes the directory of the socket one that any user may use, and the file of the socket too if it is to be.
func (r *rig) openDir(t *testing.T, socket bool) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
	for dir := filepath.Dir(r.path); dir != os.TempDir(); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if socket {
		if err := os.Chmod(r.path, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOtherUser: a process of another user is not served, by the mode of the file, and without it by the kernel's word about the process;
// one of the user that is wanted is, and so is root.
func TestOtherUser(t *testing.T) {
	r := newRig(t, proxy.Options{}, egress.Limits{}, "CONNECT https://a.example")
	r.raw("a.example:443", func(c *net.TCPConn) { io.WriteString(c, "hi") })
	text, none := r.ask("CONNECT a.example:443"), func(int) {}
	r.openDir(t, false)
	if got := r.other(t, nobody, text, none); !strings.Contains(got, "permission denied") {
		t.Errorf("%q", got)
	}
	r.openDir(t, true)
	if got := r.other(t, nobody, text, none); got != "" {
		t.Errorf("%q", got)
	}
	if got := r.other(t, 0, text, none); !strings.HasSuffix(got, "\r\n\r\nhi") {
		t.Errorf("%q", got)
	}
	theirs := newRig(t, proxy.Options{UID: new(nobody)}, egress.Limits{}, "CONNECT https://a.example")
	theirs.raw("a.example:443", func(c *net.TCPConn) { io.WriteString(c, "hi") })
	theirs.openDir(t, false)
	for _, uid := range []int{nobody, 0} {
		if got := theirs.other(t, uid, theirs.ask("CONNECT a.example:443"), none); !strings.HasSuffix(got, "\r\n\r\nhi") {
			t.Errorf("%q", got)
		}
	}
	var st syscall.Stat_t
	if err := syscall.Stat(theirs.path, &st); err != nil || st.Uid != nobody || st.Mode&0o777 != 0o600 {
		t.Errorf("%v: user %d, mode %o", err, st.Uid, st.Mode)
	}
}

// TestOnly: a grant for one process serves no other one that shows its token.
func TestOnly(t *testing.T) {
	r := newRig(t, proxy.Options{}, egress.Limits{}, "CONNECT https://a.example")
	r.raw("a.example:443", func(c *net.TCPConn) { io.WriteString(c, "hi") })
	text := r.ask("CONNECT a.example:443")
	for name, row := range map[string]struct {
		hold func(pid int)
		want string
	}{
		"itself":       {r.grant.Only, "200"},
		"this process": {func(int) { r.grant.Only(os.Getpid()) }, "407"},
		"any":          {func(int) { r.grant.Only(0) }, "200"},
	} {
		if got := r.other(t, os.Geteuid(), text, row.hold); !strings.HasPrefix(got, "HTTP/1.1 "+row.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
