package sessions_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// killsEnv, in the environment, is how often TestKilled kills the server.
const killsEnv = "SANDTRAPD_SESSION_KILLS"

// A server is a process of its own.
type server struct {
	t   *testing.T
	cmd *exec.Cmd
	url string
}

const token = "a-token-for-this-test"

// serve starts one.
func serve(t *testing.T, data, keys, isolation string) *server {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serveArgs+"=serve --listen 127.0.0.1:0 --data "+data+" --keys "+keys+" --isolation "+isolation+" --allow-degraded")
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, cmd: cmd}
	t.Cleanup(s.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	s.url = strings.TrimSpace(strings.TrimPrefix(line, "sandtrapd: "))
	return s
}

func (s *server) kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	_ = s.cmd.Wait()
}

// do makes a request. It is false if there is no whole answer.
func (s *server) do(method, path, body string) (text string, ok bool) {
	q, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+token)
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(q)
	if err != nil {
		return "", false
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	return string(data), err == nil && res.StatusCode < 300
}

// count runs a cell that adds 1, and gives what it has printed: a variable, and the size of a file that grows by a byte with it.
func (s *server) count(id string) (n int, ok bool) {
	const code = "n++\nbuf, err := os.ReadFile(\"f\")\nif err != nil { panic(err) }\nif err := os.WriteFile(\"f\", append(buf, 'x'), 0o644); err != nil { panic(err) }\nif len(buf)+1 != n { panic(fmt.Sprint(len(buf), n)) }\nfmt.Print(n)"
	body, err := json.Marshal(map[string]string{"session": id, "code": code})
	if err != nil {
		s.t.Fatal(err)
	}
	text, ok := s.do("POST", "/v1/runs", string(body))
	if !ok {
		return 0, false
	}
	var v struct {
		State  string
		Result struct{ Stdout string }
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil || v.State != "done" {
		s.t.Fatalf("%s %v", text, err)
	}
	n, err = strconv.Atoi(v.Result.Stdout)
	if err != nil {
		s.t.Fatal(text)
	}
	return n, true
}

// TestKilled: a server that is killed, whatever it does then, has lost no cell that it has answered, and has no half of one.
func TestKilled(t *testing.T) {
	kills, isolation := 4, "none"
	if text := os.Getenv(killsEnv); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		isolation = "kernel"
	}
	data, keys := t.TempDir(), filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(keys, []byte(token+"@a:user\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, data, keys, isolation)
	text, _ := s.do("POST", "/v1/sessions", "")
	var session struct{ ID string }
	if err := json.Unmarshal([]byte(text), &session); err != nil {
		t.Fatal(text, err)
	}
	if text, ok := s.do("POST", "/v1/runs", fmt.Sprintf(`{"session":%q,"code":"n := 0\nif err := os.WriteFile(\"f\", nil, 0o644); err != nil { panic(err) }"}`, session.ID)); !ok {
		t.Fatal(text)
	}
	last := 0
	for kill := range kills {
		time.AfterFunc(time.Duration(20+kill*37%150)*time.Millisecond, func() { _ = s.cmd.Process.Kill() })
		for {
			n, ok := s.count(session.ID)
			if !ok {
				break
			}
			if n != last+1 {
				t.Fatalf("after %d kills: %d after %d", kill, n, last)
			}
			last = n
		}
		s.kill()
		s = serve(t, data, keys, isolation)
		n, ok := s.count(session.ID)
		if !ok || n < last+1 || n > last+2 { // one more may be on disk, without an answer
			t.Fatalf("after kill %d: %d after %d, %v", kill, n, last, ok)
		}
		last = n
	}
	t.Logf("%d cells, %d kills", last, kills)
}
