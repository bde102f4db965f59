package upstream_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/upstream/fake"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

const (
	doOnce = `
	out, err := x.Do(x.DoIn{})
	fmt.Println(out.N, err)`
	doAgain = `
	out, err = x.Do(x.DoIn{})
	fmt.Println(out.N, err)`
	doTwice = doOnce + doAgain
)

// TestHostile: whatever a server does is an error with a name for the script, over each transport, and the memory of this process does not
// grow.
func TestHostile(t *testing.T) {
	for _, c := range []struct{ name, stdio, http string }{
		{"right", "1 <nil>", "1 <nil>"},
		{"lies", "0 x.Do: the result does not fit the schema of the tool: ", "0 x.Do: the result does not fit the schema of the tool: "},
		{"nothing", "the tool: there is none", "the tool: there is none"},
		{"digits", "an integer has more than 53 bits", "an integer has more than 53 bits"},
		{"large", "0 x.Do: the result is too large", "0 x.Do: the result is too large"},
		{"gigabyte", "0 x.Do: the result is too large", "0 x.Do: the result is too large"},
		{"asks", "asks for input", "asks for input"},
		{"refuses", `0 x.Do: the server refused the call: no \x1b[31m`, `0 x.Do: the server refused the call: no \x1b[31m`},
		{"hangs", "0 x.Do: the server did not answer in time", "0 x.Do: the server did not answer in time"},
		{"closes", "0 x.Do: the server has closed the connection, ", "0 x.Do: the server has closed the connection, "},
		{"floods", "0 x.Do: the server sends too many messages", "0 x.Do: the server sends too many messages"},
		{"asks_without_end", "0 x.Do: the server sends too many messages", ""},
		{"drips", "", "0 x.Do: the server did not answer in time"},
		{"garbage", "0 x.Do: the server has closed the connection, ", ""},
		{"changes", "0 x.Do: the server says something else of the tool", ""},
	} {
		if c.stdio != "" {
			t.Run("stdio/"+c.name, func(t *testing.T) {
				t.Parallel()
				attack(t, `transport: stdio, command: COMMAND, may_start: true, env: {FAKE: `+c.name+`}`, c.stdio)
			})
		}
		if c.http != "" {
			t.Run("http/"+c.name, func(t *testing.T) {
				t.Parallel()
				s := httptest.NewServer(fake.Hostile(c.name))
				defer s.Close()
				attack(t, `transport: http, url: "`+s.URL+`", loopback: true`, c.http)
			})
		}
	}
}

func attack(t *testing.T, server, want string) {
	t.Helper()
	timeout, script := "1m", doTwice
	if strings.Contains(want, "in time") {
		timeout, script = "3s", doOnce
	}
	r := serve(t, sandtrap.None, `servers: {x: {`+server+`, timeout: `+timeout+`, policies: ["*"], tools: {do: {risk: low, do: allow}}}}`)
	got := r.run(t, "alpha", script)
	lines := strings.Split(got, "\n")
	if len(lines) < 2 || !strings.Contains(lines[0], want) && !strings.Contains(lines[1], want) {
		t.Errorf("%s\nwant %q\n%s", got, want, r.log)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapSys > 1<<30 {
		t.Errorf("the heap has %d bytes", m.HeapSys)
	}
}

// TestMute: a server that does not even begin is an error when the service begins.
func TestMute(t *testing.T) {
	text := refused(t, `servers: {x: {transport: stdio, command: COMMAND, may_start: true, env: {FAKE: mute}, timeout: 500ms, policies: ["*"], tools: {do: {risk: low}}}}`)
	if !strings.Contains(text, "server x: the server did not answer in time") {
		t.Error(text)
	}
}

// TestRestarts: a server that ends with each call is started so often, and then no more for a while.
func TestRestarts(t *testing.T) {
	r := serve(t, sandtrap.None, `servers: {x: {transport: stdio, command: COMMAND, may_start: true, restarts: 2, env: {FAKE: closes, FAKE_CALLS: WRITTEN}, policies: ["*"], tools: {do: {risk: low, do: allow}}}}`)
	got := r.run(t, "alpha", doTwice+doAgain)
	if lines := strings.Split(got, "\n"); len(lines) != 4 || !strings.Contains(lines[1], "closed the connection") || !strings.Contains(lines[2], "too often within a minute") {
		t.Error(got)
	}
	if n := len(r.called(t)); n != 2 {
		t.Errorf("%d calls", n)
	}
}

// TestRedirect: the headers of a server do not go to another one.
func TestRedirect(t *testing.T) {
	t.Setenv("UPSTREAM_TOKEN", "s3cret-token")
	var got []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) { got = append(got, q.Header.Get("X-Key")) }))
	defer other.Close()
	s := httptest.NewServer(fake.Hostile("redirects"))
	defer s.Close()
	r := serve(t, sandtrap.None, `servers: {x: {transport: http, url: "`+s.URL+`?to=`+other.URL+`", loopback: true, headers: {X-Key: {env: UPSTREAM_TOKEN}}, policies: ["*"], tools: {do: {risk: low, do: allow}}}}`)
	if text := r.run(t, "alpha", doTwice); !strings.Contains(text, "cannot be reached") || len(got) > 0 {
		t.Error(text, got)
	}
}

// TestEcho: a server that repeats a header does not get it into errors or logs.
func TestEcho(t *testing.T) {
	t.Setenv("UPSTREAM_TOKEN", "s3cret-token")
	s := httptest.NewServer(fake.Hostile("echoes"))
	defer s.Close()
	r := serve(t, sandtrap.None, `servers: {x: {transport: http, url: "`+s.URL+`", loopback: true, headers: {Authorization: {env: UPSTREAM_TOKEN, prefix: "Bearer "}}, policies: ["*"], tools: {do: {risk: low, do: allow}}}}`)
	text := r.run(t, "alpha", doTwice)
	if !strings.Contains(text, "x.Do: the server cannot be reached") || strings.Contains(text+r.log.String(), "s3cret") {
		t.Errorf("%s\n%s", text, r.log)
	}
}

// TestRunEnds: a call ends with its run, and the server sees that.
func TestRunEnds(t *testing.T) {
	hangs, ended := fake.Hostile("hangs"), make(chan bool, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		hangs.ServeHTTP(w, q)
		ended <- q.Context().Err() != nil
	}))
	defer s.Close()
	r := serve(t, sandtrap.None, `servers: {x: {transport: http, url: "`+s.URL+`", loopback: true, timeout: 5m, policies: ["*"], tools: {do: {risk: low, do: allow}}}}`)
	got := r.run(t, "alpha", `go x.Do(x.DoIn{}); time.Sleep(50 * time.Millisecond); fmt.Println("over")`)
	if got != "over\n" {
		t.Error(got)
	}
	for !<-ended { // requests that were answered
	}
}

// TestNothingLeft: no process of a server, and no goroutine, is left when the set is closed.
func TestNothingLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	r := serve(t, sandtrap.None, github)
	for i := range 5 {
		r.run(t, fmt.Sprint("tenant", i), `github.Fail(github.FailIn{})`)
	}
	if n := children(t); n < 5 {
		t.Errorf("%d processes for five tenants", n)
	}
	r.set.Close()
	if n := children(t); n != 0 {
		t.Errorf("%d processes are left", n)
	}
	deadline := time.Now().Add(time.Minute)
	for runtime.NumGoroutine() > before+5 {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, and %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// children counts the processes that this one has started and that go on.
func children(t *testing.T) (n int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("it reads /proc")
	}
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range lists {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // the thread has ended
		}
		n += len(strings.Fields(string(text)))
	}
	return n
}

// TestHealthyEnd: a server that ends as it was told to is no event of the log; one that ends by itself is.
func TestHealthyEnd(t *testing.T) {
	r := serve(t, sandtrap.None, github)
	r.run(t, "alpha", `github.Fail(github.FailIn{})`)
	r.set.Close()
	log := r.log.String()
	if strings.Contains(log, "has ended") && !strings.Contains(log, "signal: killed") { // on a busy machine it takes longer than its grace
		t.Error(log)
	}
}
