package clone

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// TestClone: the files of a branch, a tag and a commit are those that git has, links are files, and submodules are left out.
func TestClone(t *testing.T) {
	g := newRepository(t)
	text, long := g.blob("hello\n"), strings.Repeat("a line of a long file\n", 5000)
	sub := g.tree(entry{"100755", "run.sh", g.blob("#!/bin/sh\n")}, entry{"120000", "link", g.blob("../../../etc/passwd")})
	first := g.commit("main", g.tree(
		entry{"100644", "a.txt", text}, entry{"40000", "dir", sub},
		entry{"100644", "long1", g.blob(long)}, entry{"100644", "long2", g.blob(long + "one more\n")},
		entry{"160000", "module", strings.Repeat("ab", 20)},
	))
	g.git("", "tag", "-a", "-m", "v", "v1", first)
	second := g.commit("feature/x", g.tree(entry{"100644", "b.txt", text}))
	g.git("", "repack", "-adfq") // long2 is a delta now
	if out := g.git("", "verify-pack", "-sv", strings.TrimSuffix(g.dir, "/")+"/"+packOf(g)); !strings.Contains(out, "chain length = 1") {
		t.Fatalf("the pack has no delta: %s", out)
	}
	r := newRig(t, g.backend, Limits{})
	all := map[string]string{"/a.txt": "hello\n", "/dir/run.sh*": "#!/bin/sh\n", "/dir/link": "../../../etc/passwd", "/long1": long, "/long2": long + "one more\n"}
	for _, tc := range []struct {
		ref, commit string
		want        map[string]string
	}{
		{"", first, all}, {"main", first, all}, {"v1", first, all}, {"refs/tags/v1", first, all},
		{"feature/x", second, map[string]string{"/b.txt": "hello\n"}}, {second, second, map[string]string{"/b.txt": "hello\n"}},
	} {
		res, into, err := r.clone(t, Request{URL: "/repo.git", Ref: tc.ref})
		if err != nil {
			t.Errorf("%q: %v", tc.ref, err)
			continue
		}
		if diff := cmp.Diff(tc.want, contents(t, into)); diff != "" || res.Commit != tc.commit || res.Files != len(tc.want) {
			t.Errorf("%q: %+v (-want +got)\n%s", tc.ref, res, diff)
		}
	}
	res, into, err := r.clone(t, Request{URL: "/repo.git", Dir: "src/x"})
	if err != nil || !slices.Equal(res.Skipped, []string{"module"}) || contents(t, into)["/src/x/a.txt"] != "hello\n" {
		t.Errorf("%+v, %v", res, err)
	}
	if _, _, err := r.clone(t, Request{URL: "/repo.git", Ref: "none"}); !errors.Is(err, ErrRepository) {
		t.Errorf("a ref that is missing: %v", err)
	}
	if _, _, err := r.clone(t, Request{URL: "/none.git"}); !errors.Is(err, ErrServer) {
		t.Errorf("a repository that is missing: %v", err)
	}
}

// packOf is the path of the only pack.
func packOf(g *repository) string {
	for line := range strings.Lines(g.git("", "count-objects", "-v")) {
		if strings.HasPrefix(line, "packs: ") && strings.TrimSpace(line) != "packs: 1" {
			g.t.Fatalf("want one pack, have %s", line)
		}
	}
	list, err := afero.Glob(afero.NewBasePathFs(afero.NewOsFs(), g.dir), "objects/pack/*.idx")
	if err != nil || len(list) != 1 {
		g.t.Fatal(list, err)
	}
	return strings.TrimPrefix(list[0], "/")
}

// TestRequests: what is not a plain https URL, ref and directory is refused before anything is sent.
func TestRequests(t *testing.T) {
	r := newRig(t, http.NotFoundHandler(), Limits{})
	for _, q := range []Request{
		{URL: "http://example.com/a"}, {URL: "ssh://git@example.com/a"}, {URL: "git@example.com:a/b"}, {URL: "file:///etc"}, {URL: "/etc"},
		{URL: "--upload-pack=x"}, {URL: "https://user@example.com/a"}, {URL: "https://u:p@example.com/a"}, {URL: "https://127.0.0.1/a"}, {URL: "https://[::1]/a"},
		{URL: "https://0x7f.1/a"}, {URL: "https://example.com/a?b"}, {URL: "https://example.com/a#b"}, {URL: "https://example.com"}, {URL: "https://example.com/a\n"},
		{URL: "HTTPS://example.com/a"}, {URL: "ext::sh -c id"}, {URL: "https://example.com\\@evil/a"}, {URL: "https://example.com/" + strings.Repeat("a", maxURL)},
		{Ref: "--upload-pack=touch x"}, {Ref: "-x"}, {Ref: "a b"}, {Ref: "a..b"}, {Ref: "a~1"}, {Ref: "a^{}"}, {Ref: "a:b"}, {Ref: "/a"}, {Ref: "a/"}, {Ref: "a//b"},
		{Ref: "a/.b"}, {Ref: "a.lock"}, {Ref: "@{u}"}, {Ref: "a\x00"}, {Ref: "a\n"}, {Ref: "a*"}, {Ref: strings.Repeat("a", maxRef+1)},
		{Dir: ".."}, {Dir: "a/../.."}, {Dir: "a//b"}, {Dir: ".git"}, {Dir: "a/.GIT/hooks"}, {Dir: "a\x00"}, {Dir: "a\\b"}, {Dir: "./a"},
	} {
		if q.URL == "" {
			q.URL = r.url + "/a"
		}
		if _, err := r.Clone(t.Context(), decide.Subject{}, q, afero.NewMemMapFs()); !errors.Is(err, ErrRequest) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	into := afero.NewMemMapFs()
	if err := afero.WriteFile(into, "/a", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Clone(t.Context(), decide.Subject{}, Request{URL: r.url + "/a"}, into); !errors.Is(err, ErrRequest) {
		t.Errorf("into files that are there: %v", err)
	}
	if len(r.dialed) > 0 {
		t.Errorf("it connected to %q", r.dialed)
	}
}

// TestHosts: without a list, and for hosts that are not in it, nothing is sent.
func TestHosts(t *testing.T) {
	none, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	_, err = none.Clone(t.Context(), decide.Subject{}, Request{URL: "https://example.com/a"}, afero.NewMemMapFs())
	if !errors.Is(err, ErrOff) || !strings.Contains(err.Error(), "--clone-hosts") {
		t.Error(err)
	}
	r := newRig(t, http.NotFoundHandler(), Limits{})
	for _, url := range []string{"https://example.org/a", "https://sub.example.com/a", "https://example.com/a", "https://example.com.evil.test/a"} {
		if _, _, err := r.clone(t, Request{URL: url}); !errors.Is(err, ErrOff) {
			t.Errorf("%s: %v", url, err)
		}
	}
	if len(r.dialed) > 0 {
		t.Errorf("it connected to %q", r.dialed)
	}
	if _, err := New(Options{Hosts: []egress.Rule{{Host: "example.com", Scheme: "http"}}}); err == nil {
		t.Error("a host by http was taken")
	}
	rule, err := Host("git.example.com:8443")
	if err != nil || rule.Host != "git.example.com" || !slices.Equal(rule.Ports, []uint16{8443}) {
		t.Errorf("%+v, %v", rule, err)
	}
	if _, err := Host("https://git.example.com"); err == nil {
		t.Error("a URL was taken for a host")
	}
}

// TestRedirects: a redirect leads nowhere but to listed hosts by https; a proxy of the environment is not used.
func TestRedirects(t *testing.T) {
	proxied := false
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { proxied = true }))
	defer proxy.Close()
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "ALL_PROXY"} {
		t.Setenv(name, proxy.URL)
	}
	for _, to := range []string{
		"https://169.254.169.254/info/refs", "http://169.254.169.254/info/refs", "https://127.0.0.1/info/refs", "https://evil.test/x/info/refs", "http://example.com/x/info/refs",
		"file:///etc/info/refs",
	} {
		r := newRig(t, http.RedirectHandler(to, http.StatusFound), Limits{})
		_, into, err := r.clone(t, Request{URL: "/repo.git"})
		if err == nil || len(contents(t, into)) > 0 {
			t.Errorf("%s: %v", to, err)
		}
		for _, address := range r.dialed {
			if !strings.HasSuffix(r.url, strings.TrimPrefix(address, "127.0.0.1")) {
				t.Errorf("%s: it connected to %s", to, address)
			}
		}
	}
	g := newRepository(t)
	g.commit("main", g.tree(entry{"100644", "a", g.blob("x")}))
	moved := newRig(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if path, old := strings.CutPrefix(q.URL.Path, "/old/"); old {
			http.Redirect(w, q, "/"+path+"?"+q.URL.RawQuery, http.StatusMovedPermanently)
			return
		}
		g.backend.ServeHTTP(w, q)
	}), Limits{})
	if _, into, err := moved.clone(t, Request{URL: "/old/repo.git"}); err != nil || contents(t, into)["/a"] != "x" {
		t.Errorf("a redirect on the same host: %v", err)
	}
	if proxied {
		t.Error("a proxy of the environment was used")
	}
}

// TestSlow: a server that does not answer is left after the time, and at once when the request ends.
func TestSlow(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	began := make(chan struct{}, 2)
	slow := http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		began <- struct{}{}
		select {
		case <-release:
		case <-q.Context().Done():
		}
	})
	r := newRig(t, slow, Limits{Time: 300 * time.Millisecond})
	if _, _, err := r.clone(t, Request{URL: "/repo.git"}); !errors.Is(err, ErrLimit) {
		t.Errorf("a slow server: %v", err)
	}
	<-began
	r = newRig(t, slow, Limits{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	if _, err := r.Clone(ctx, decide.Subject{}, Request{URL: r.url + "/repo.git"}, afero.NewMemMapFs()); !errors.Is(err, context.Canceled) {
		t.Errorf("a request that ended: %v", err)
	}
}

// TestNothingIsLeft: files that do not fit are removed again.
func TestNothingIsLeft(t *testing.T) {
	g := newRepository(t)
	g.commit("main", g.tree(entry{"100644", "a", g.blob("x")}, entry{"40000", "d", g.tree(entry{"100644", "b", g.blob("y")}, entry{"100644", "c", g.blob("z")})}))
	r := newRig(t, g.backend, Limits{})
	for _, dir := range []string{"", "sub"} {
		into := &full{afero.NewMemMapFs(), 2}
		_, err := r.Clone(t.Context(), decide.Subject{}, Request{URL: r.url + "/repo.git", Dir: dir}, into)
		if left := slices.Sorted(maps.Keys(contents(t, into.Fs))); !errors.Is(err, ErrLimit) || len(left) > 0 {
			t.Errorf("%q: %v, and %q are left", dir, err, left)
		}
	}
}

// full is a file system for a few files.
type full struct {
	afero.Fs
	left int
}

func (f *full) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	if f.left--; f.left < 0 {
		return nil, errors.New("full")
	}
	return f.Fs.OpenFile(name, flag, perm)
}
