package nettest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// descendants are the processes that come from this one.
func descendants(t *testing.T) (pids []int) {
	parents := map[int]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		parents[pid], _ = strconv.Atoi(fields[1])
	}
	for pid := range parents {
		for at := parents[pid]; at > 1; at = parents[at] {
			if at == os.Getpid() {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// memory calls found with all memory of a process that can be read.
func memory(pid int, found func([]byte)) error {
	maps, err := os.Open(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return err
	}
	defer maps.Close()
	mem, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return err
	}
	defer mem.Close()
	const step, overlap = 1 << 20, 256
	buf := make([]byte, step+overlap)
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var from, to int64
		if fmt.Sscanf(lines.Text(), "%x-%x", &from, &to); !strings.Contains(lines.Text(), " rw") {
			continue
		}
		for ; from < to; from += step {
			n, err := mem.ReadAt(buf[:min(step+overlap, to-from)], from)
			if err != nil && err != io.EOF && n == 0 {
				continue // not there
			}
			found(buf[:n])
		}
	}
	return nil
}

// TestSecretNotInWorker: while a script holds the response to a request with a secret, the memory of its worker has the name of the
// secret and the response, and not the secret.
func TestSecretNotInWorker(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		if p.Isolation == sandtrap.None {
			t.Skip("a script of this process")
		}
		s := newKeyed(t)
		looked, read := false, 0
		p.Funcs = map[string]any{"look": func() {
			looked = true
			for _, pid := range descendants(t) {
				var name, body, secret bool
				err := memory(pid, func(part []byte) {
					name = name || bytes.Contains(part, []byte("github"))
					body = body || bytes.Contains(part, []byte("marker-in-body"))
					secret = secret || bytes.Contains(part, []byte(s.secret)) || bytes.Contains(part, []byte("by-itself"))
				})
				if err != nil {
					t.Logf("process %d: %v", pid, err)
					continue
				}
				if secret {
					t.Errorf("process %d has the secret", pid)
				}
				if name && body {
					read++
				}
			}
		}}
		res := s.run(t, mustBox(t, p, s.gate), `key.Set(req)
			resp, err := http.DefaultClient.Do(req)
			if err != nil { panic(err) }
			b, err := io.ReadAll(resp.Body)
			look()
			fmt.Println(resp.StatusCode, len(b) > 0, key)`)
		if res.Stdout != "200 true secret github\n" || !strings.Contains(s.took(), "SECRET") || !looked {
			t.Errorf("%s", res.Stdout)
		}
		if read == 0 {
			if os.Getuid() != 0 {
				t.Skip("the memory of workers cannot be read")
			}
			t.Error("no process had the response")
		}
	})
}
