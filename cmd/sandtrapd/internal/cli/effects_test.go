package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// An effect is what a client has done for a call of a run.
type effect struct {
	Run  string
	Call int
	Tag  string
}

// effectsMain is a process that has effects, and tells of all it has had. None is refused: it is for the clients to have each once.
func effectsMain() int {
	var mu sync.Mutex
	var had []effect
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("http://" + l.Addr().String())
	err = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if q.Method == http.MethodGet {
			_ = json.NewEncoder(w).Encode(had)
			return
		}
		var one effect
		if err := json.NewDecoder(q.Body).Decode(&one); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		had = append(had, one)
		fmt.Fprintf(w, "effect %d of %s", len(had), one.Tag)
	}))
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// An effectsProcess is that.
type effectsProcess struct{ url string }

func startEffects(t *testing.T) *effectsProcess {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SANDTRAPD_TEST_EFFECTS=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	var url string
	if _, err := fmt.Fscanln(out, &url); err != nil {
		t.Fatal(err)
	}
	return &effectsProcess{url}
}

// do has an effect, and is what the process says of it.
func (e *effectsProcess) do(t testing.TB, one effect) string {
	body, _ := json.Marshal(one) // it cannot fail
	res, err := http.Post(e.url, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("%s, %v", res.Status, err)
	}
	return string(said)
}

// table is how many effects there were of each call of each run.
func (e *effectsProcess) table(t testing.TB) map[string]int {
	t.Helper()
	res, err := http.Get(e.url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var had []effect
	if err := json.NewDecoder(res.Body).Decode(&had); err != nil {
		t.Fatal(err)
	}
	table := map[string]int{}
	for _, one := range had {
		table[fmt.Sprint(one.Run, " ", one.Call)]++
	}
	return table
}
