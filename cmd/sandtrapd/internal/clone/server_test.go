package clone

import (
	"context"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A rig is a git server at https://example.com:PORT, and a Cloner that may reach it at its loopback address.
type rig struct {
	*Cloner
	url  string
	port uint16

	mu     sync.Mutex
	dialed []string
}

func newRig(t *testing.T, h http.Handler, limits Limits) *rig {
	t.Helper()
	server := httptest.NewTLSServer(h)
	t.Cleanup(server.Close)
	address := netip.MustParseAddrPort(server.Listener.Addr().String())
	r := &rig{port: address.Port(), url: "https://example.com:" + strconv.Itoa(int(address.Port()))}
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	var err error
	r.Cloner, err = New(Options{
		Hosts: []egress.Rule{{Host: "example.com", Ports: []uint16{r.port}, Loopback: true}},
		Network: egress.Options{
			Roots: roots,
			Resolve: func(context.Context, string) ([]netip.Addr, error) {
				return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
			},
			Dial: func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
				r.mu.Lock()
				r.dialed = append(r.dialed, to.String())
				r.mu.Unlock()
				return new(net.Dialer).DialContext(ctx, "tcp", to.String())
			},
		},
		Limits: limits,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// clone clones into a new file system, and gives it.
func (r *rig) clone(t *testing.T, q Request) (*Result, afero.Fs, error) {
	t.Helper()
	into := afero.NewMemMapFs()
	if !strings.HasPrefix(q.URL, "https:") {
		q.URL = r.url + q.URL
	}
	res, err := r.Clone(t.Context(), decide.Subject{Tenant: "alpha"}, q, into)
	return res, into, err
}

// contents are the files of fs, by path, with a * behind the path of those that can be executed.
func contents(t *testing.T, into afero.Fs) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := afero.Walk(into, "/", func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := afero.ReadFile(into, path)
		if info.Mode()&0o100 != 0 {
			path += "*"
		}
		all[path] = string(text)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return all
}

// A repository is one that git made, in a directory that git's own server serves.
type repository struct {
	t       *testing.T
	root    string // of the server
	dir     string
	backend http.Handler
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	program, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not on this machine")
	}
	r := &repository{t: t, root: t.TempDir()}
	r.dir = filepath.Join(r.root, "repo.git")
	if text, err := exec.Command(program, "init", "-q", "--bare", "-b", "main", r.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	r.git("", "config", "uploadpack.allowReachableSHA1InWant", "true")
	r.backend = &cgi.Handler{
		Path: program, Args: []string{"http-backend"}, Logger: nil, Stderr: t.Output(),
		Env: []string{"GIT_PROJECT_ROOT=" + r.root, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"},
	}
	return r
}

// git runs git in the repository.
func (r *repository) git(stdin string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", r.dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	cmd.Stdin = strings.NewReader(stdin)
	text, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %q: %v: %s", args, err, text)
	}
	return strings.TrimSpace(string(text))
}

func (r *repository) blob(text string) string { return r.git(text, "hash-object", "-w", "--stdin") }

// An entry is one of a tree, of any name and mode.
type entry struct{ mode, name, hash string }

// tree writes a tree without checks.
func (r *repository) tree(list ...entry) string {
	var text strings.Builder
	for _, e := range list {
		text.WriteString(e.mode + " " + e.name + "\x00")
		for i := 0; i < len(e.hash); i += 2 {
			b, err := strconv.ParseUint(e.hash[i:i+2], 16, 8)
			if err != nil {
				r.t.Fatal(err)
			}
			text.WriteByte(byte(b))
		}
	}
	return r.git(text.String(), "hash-object", "-w", "-t", "tree", "--literally", "--stdin")
}

// commit makes a tree the newest commit of a branch.
func (r *repository) commit(branch, tree string) string {
	hash := r.git("", "commit-tree", "-m", "m", tree)
	r.git("", "update-ref", "refs/heads/"+branch, hash)
	return hash
}
