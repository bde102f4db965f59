package sandtraptest

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestRunsKilled: a run whose worker is killed, at whatever moment, ends with an error that says so.
// The host has what was written before, and the next run of the same sandbox is fine.
func TestRunsKilled(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.isolation == sandtrap.None {
			b.Skip("there is no worker that could die")
		}
		before := children(b)
		began := make(chan bool, 1)
		disk := afero.NewMemMapFs()
		box := b.box(sandtrap.Policy{
			Std: []string{"fmt", "os"}, Funcs: map[string]any{"begin": func() { began <- true }},
			Files: &sandtrap.Files{Open: func() (afero.Fs, error) { return disk, nil }},
		})
		had := ""
		for i := range 20 {
			done := make(chan *sandtrap.Result)
			go func() {
				res, _ := box.Run(b.Context(), sandtrap.Script{Text: `begin(); for i := 0; ; i++ { os.WriteFile("/n", []byte(fmt.Sprint(i)), 0o644) }`})
				done <- res
			}()
			<-began
			time.Sleep(time.Duration(i) * 500 * time.Microsecond)
			for pid := range children(b) {
				if p, err := os.FindProcess(pid); err == nil && !before[pid] {
					p.Kill()
				}
			}
			if res := <-done; res == nil || !errors.Is(res.Error, sandtrap.ErrWorker) {
				b.Errorf("kill %d: %+v", i, res)
			}
			has := fmt.Sprint("written after kill ", i)
			res, err := box.Run(b.Context(), sandtrap.Script{
				Text:   `old, _ := os.ReadFile("/kept"); fmt.Print(string(old)); os.WriteFile("/kept", []byte(has), 0o644)`,
				Inputs: map[string]any{"has": has},
			})
			if err != nil || res.Stdout != had {
				b.Errorf("after kill %d: %q, %v", i, res.Stdout, err)
			}
			if text, err := afero.ReadFile(disk, "/kept"); string(text) != has || err != nil {
				b.Errorf("after kill %d the host has %q, %v", i, text, err)
			}
			had = has
		}
	})
}

// TestWorkerKept: runs of a sandbox that come one after another have the same worker, which ends
// with it, once.
func TestWorkerKept(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.isolation == sandtrap.None {
			b.Skip("there is no worker")
		}
		before := children(b)
		box := b.box(sandtrap.Policy{})
		workers := map[int]bool{}
		for range 3 {
			if _, err := box.Run(b.Context(), sandtrap.Script{Text: "x := 1"}); err != nil {
				b.Fatal(err)
			}
			maps.Copy(workers, children(b))
		}
		maps.DeleteFunc(workers, func(pid int, _ bool) bool { return before[pid] })
		if len(workers) != 1 {
			b.Errorf("three runs had workers %v", slices.Collect(maps.Keys(workers)))
		}
		for range 2 {
			if err := box.Close(); err != nil {
				b.Error(err)
			}
		}
		for pid := range children(b) {
			if workers[pid] {
				b.Errorf("process %d is left", pid)
			}
		}
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: "x := 1"}); !errors.Is(err, sandtrap.ErrClosed) {
			b.Errorf("a run after it: %v", err)
		}
	})
}

// TestHostConnects: what a policy hands out works where it is, outside of the wall: a function of the
// host uses the network for a script that has none.
func TestHostConnects(t *testing.T) {
	there, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	go func() {
		for {
			conn, err := there.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, "hello")
			conn.Close()
		}
	}()
	fetch := func() (string, error) {
		conn, err := net.Dial("tcp", there.Addr().String())
		if err != nil {
			return "", err
		}
		defer conn.Close()
		text, err := io.ReadAll(conn)
		return string(text), err
	}
	eachMode(t, func(b bench) {
		box := b.box(sandtrap.Policy{Std: sandtrap.Default(), Funcs: map[string]any{"fetch": fetch}})
		if res, err := box.Run(b.Context(), sandtrap.Script{Text: "fmt.Print(fetch())"}); err != nil || res.Stdout != "hello<nil>" {
			b.Errorf("%q, %v", res.Stdout, err)
		}
		for _, src := range []string{
			`import "net/http"` + "\n" + `http.Get("http://localhost")`, `net.Dial("tcp", "localhost:80")`, `net.Listen("tcp", ":80")`,
			`net.LookupHost("localhost")`, `net.Dial("unix", "/run/socket")`, `syscall.Socket(2, 1, 0)`,
		} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: src})
			if !errors.Is(err, sandtrap.ErrRefused) || res.Ticks > 0 {
				b.Errorf("%s: %v", src, err)
			}
		}
	})
}
