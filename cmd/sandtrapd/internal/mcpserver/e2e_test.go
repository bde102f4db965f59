package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/mcpserver"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// command is the command as a process, which is killed at the end of the test.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), exe, args...)
	c.Env = append(os.Environ(), asCommand+"=1")
	c.Stderr = t.Output()
	return c
}

// toolsFile is a file that declares Search.
func toolsFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tools.go")
	if err := os.WriteFile(path, []byte(declared), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const oneCall = `fmt.Println("before")
fmt.Println(Search("a"))`

// pause has a client that answers nothing by itself make a request that is answered with one for input, and gives the next one.
func pause(t *testing.T, transport mcp.Transport, q *mcp.CallToolParams) *mcp.CallToolParams {
	t.Helper()
	o := &mcp.ClientOptions{
		MultiRoundTrip:     &mcp.MultiRoundTripOptions{Disabled: true},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return nil, nil },
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: "2026-07-28"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	res, err := c.CallTool(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if !res.NeedsInput() || len(res.InputRequests) != 1 || res.RequestState == "" {
		t.Fatalf("%+v", res)
	}
	q.RequestState = res.RequestState
	q.InputResponses = mcp.InputResponseMap{"call-1": &mcp.ElicitResult{Action: "accept", Content: map[string]any{"value": `["x"]`}}}
	return q
}

// kill kills a process as kill -9 does, and waits until it is gone.
func kill(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = c.Process.Wait() // the transport may have waited
}

// TestKilledStdio: a server on stdio is killed while a run waits, and another process goes on with it.
func TestKilledStdio(t *testing.T) {
	for _, isolation := range []sandtrap.Isolation{sandtrap.None, sandtrap.Kernel} {
		t.Run(string(isolation), func(t *testing.T) {
			if status, err := sandtrap.Probe(t.Context(), isolation, ""); err != nil || len(status.Missing) > 0 {
				t.Skipf("isolation %s: %v, missing %q", isolation, err, status.Missing)
			}
			args := []string{"mcp", "--isolation", string(isolation), "--data", t.TempDir(), "--tools", toolsFile(t)}
			first := command(t, args...)
			q := pause(t, &mcp.CommandTransport{Command: first}, &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"code": oneCall}})
			kill(t, first)
			c := connect(t, &mcp.CommandTransport{Command: command(t, args...)}, "2026-07-28", nil)
			for range 2 { // the second time as a client does that did not get the first result
				res, err := c.CallTool(t.Context(), q)
				if err != nil || text(res) != "before\n[x] <nil>\n" {
					t.Fatalf("%v: %+v", err, res)
				}
			}
		})
	}
}

// serve starts a server over HTTP, with a key, and gives its address.
func serve(t *testing.T, data, keyFile string) (cmd *exec.Cmd, url string) {
	t.Helper()
	c := command(t, "serve", "--isolation", "none", "--listen", "127.0.0.1:0", "--data", data, "--keys", keyFile)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _, _ = c.Process.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	at := regexp.MustCompile(`http://\S+`).FindString(line)
	if at == "" {
		t.Fatalf("%q, %v", line, err)
	}
	return c, at
}

// token is the key of tenant alpha.
const token = "a-token-of-the-test"

// keyFile is a file with that key.
func keyFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(path, []byte(token+"@alpha:user\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// endpoint is the transport to a process that serves at url.
func endpoint(url string) *mcp.StreamableClientTransport {
	return &mcp.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: &http.Client{Transport: bearer{token}}, MaxRetries: -1}
}

// TestKilledHTTP: a server over HTTP is killed while a run waits, and another process goes on with it.
func TestKilledHTTP(t *testing.T) {
	keys, data := keyFile(t), t.TempDir()
	first, url := serve(t, data, keys)
	q := pause(t, endpoint(url), &mcp.CallToolParams{Name: "answer", Arguments: map[string]any{"run": begin(t, url, token)}})
	kill(t, first)
	_, url = serve(t, data, keys)
	res, err := connect(t, endpoint(url), "2026-07-28", nil).CallTool(t.Context(), q)
	if err != nil || text(res) != "before\n[x] <nil>\n" {
		t.Fatalf("%v: %+v", err, res)
	}
}

// TestProcesses: a process serves the SDK's client with each protocol, on stdio and over HTTP; runs that are cancelled hold up none.
func TestProcesses(t *testing.T) {
	_, url := serve(t, t.TempDir(), keyFile(t))
	for name, transport := range map[string]func() mcp.Transport{
		"http": func() mcp.Transport { return endpoint(url) },
		"stdio": func() mcp.Transport {
			return &mcp.CommandTransport{Command: command(t, "mcp", "--isolation", "none", "--data", t.TempDir())}
		},
	} {
		for _, protocol := range mcpserver.Protocols() {
			t.Run(name+"/"+protocol, func(t *testing.T) {
				c := connect(t, transport(), protocol, nil)
				ctx, cancel := context.WithCancel(t.Context())
				var group sync.WaitGroup
				const many = 20 // more than run at a time
				for range many {
					group.Go(func() {
						p := &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"code": "fmt.Println(\"on\")\nfor {}", "timeout_ms": 500_000}}
						p.SetProgressToken("token")
						if _, err := c.CallTool(ctx, p); !errors.Is(err, context.Canceled) {
							t.Error(err)
						}
					})
				}
				if got := <-c.progress; got != "on\n" {
					t.Errorf("%q", got)
				}
				cancel()
				group.Wait()
				if got := text(c.call(t, "run", map[string]any{"code": "fmt.Println(1)"})); got != "1\n" {
					t.Errorf("%q", got)
				}
			})
		}
	}
}

// TestApprovalProcess: a process on stdio asks about each call of a function that its policy wants approval for.
func TestApprovalProcess(t *testing.T) {
	tools := toolsFile(t)
	each(t, func(t *testing.T, protocol string) {
		cmd := command(t, "mcp", "--isolation", "none", "--data", t.TempDir(), "--policy", "review", "--tools", tools)
		c := connect(t, &mcp.CommandTransport{Command: cmd}, protocol, func(p *mcp.ElicitParams) *mcp.ElicitResult {
			if strings.Contains(p.Message, "needs approval") {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"verdict": "approve"}}
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"value": `["x"]`}}
		})
		res := c.call(t, "run", map[string]any{"code": oneCall})
		if o := outputOf(t, res); o.State == "pending" { // by this protocol the function's result comes by answer
			res = c.call(t, "answer", map[string]any{"run": o.ID, "answers": []any{map[string]any{"id": o.Pending[0].ID, "value": []string{"x"}}}})
		}
		if got := text(res); got != "before\n[x] <nil>\n" {
			t.Errorf("%q", got)
		}
	})
}

// begin begins a run with tools over the HTTP API, which waits then.
func begin(t *testing.T, url, token string) (id string) {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"code": oneCall, "tools": declared}) // of strings
	q, err := http.NewRequestWithContext(t.Context(), "POST", url+"/v1/runs", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := (bearer{token}).RoundTrip(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var view struct{ ID, State string }
	if err := json.NewDecoder(res.Body).Decode(&view); err != nil || view.State != "pending" {
		t.Fatalf("%v: %+v", err, view)
	}
	return view.ID
}

// A tee keeps what is read.
type tee struct {
	io.ReadCloser
	mu   sync.Mutex
	kept bytes.Buffer
}

func (r *tee) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept.Write(p[:n])
	return n, err
}

// TestStdout: nothing but the protocol is on standard output, whatever a script prints, and the server ends with its client.
func TestStdout(t *testing.T) {
	cmd := command(t, "mcp", "--isolation", "none", "--data", t.TempDir())
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kept := &tee{ReadCloser: out}
	c := connect(t, &mcp.IOTransport{Reader: kept, Writer: in}, "", nil)
	p := &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"code": `println("a")
print("b")
fmt.Print("c\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n")
os.Stdout.WriteString("d\n")
fmt.Fprintln(os.Stderr, "e")
log.Print("f")
panic("g")`}}
	p.SetProgressToken(1)
	res, err := c.CallTool(t.Context(), p)
	if err != nil || !strings.Contains(text(res), "error (panic):\nline 7, column 1: g\n") {
		t.Fatalf("%v: %s", err, text(res))
	}
	_ = c.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	n := 0
	for line := range strings.Lines(kept.kept.String()) {
		var m struct{ JSONRPC string }
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" || line == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n" {
			t.Errorf("%q: %v", line, err)
		}
		n++
	}
	if n < 3 {
		t.Errorf("%d lines", n)
	}
}

// TestGone: the server on stdio ends when its client is gone, also while a run goes on.
func TestGone(t *testing.T) {
	cmd := command(t, "mcp", "--isolation", "none", "--data", t.TempDir())
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":{"code":"fmt.Println(1)\nfor {}","timeout_ms":50000},"_meta":{"progressToken":1}}}`,
	} {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "notifications/progress") {
	}
	in.Close()
	for lines.Scan() {
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
