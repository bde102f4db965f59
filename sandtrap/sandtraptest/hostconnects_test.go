package sandtraptest

import (
	"errors"
	"io"
	"net"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

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
		box := b.Box(sandtrap.Policy{Std: sandtrap.StdDefault(), Funcs: map[string]any{"fetch": fetch}})
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
