package cli

import (
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/rogpeppe/go-internal/testscript"
)

// networkCommands are for scripts with a server: serve begins one, conns wants that it has had so many connections since the last
// time, fill replaces variables in files, example writes files of a document, and replace replaces texts in them.
func networkCommands() map[string]func(*testscript.TestScript, bool, []string) {
	servers := map[string]*atomic.Int64{} // connections, by the directories of scripts
	return map[string]func(*testscript.TestScript, bool, []string){
		"serve": func(ts *testscript.TestScript, _ bool, _ []string) {
			conns := new(atomic.Int64)
			servers[ts.Getenv("WORK")] = conns
			serve(ts, conns)
		},
		"conns": func(ts *testscript.TestScript, _ bool, args []string) {
			want, err := strconv.ParseInt(args[0], 10, 64)
			ts.Check(err)
			if got := servers[ts.Getenv("WORK")].Swap(0); got != want {
				ts.Fatalf("%d connections, want %d", got, want)
			}
		},
		"example": func(ts *testscript.TestScript, _ bool, args []string) { // page, names
			page, err := os.ReadFile("../../../docs/" + args[0])
			ts.Check(err)
			for _, name := range args[1:] {
				_, text, found := strings.Cut(string(page), " "+name+"\n")
				text, _, ended := strings.Cut(text, "```")
				if !found || !ended {
					ts.Fatalf("%s has no %s", args[0], name)
				}
				ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
			}
		},
		"replace": func(ts *testscript.TestScript, _ bool, args []string) { // old, new, files
			for _, name := range args[2:] {
				text := ts.ReadFile(name)
				if !strings.Contains(text, args[0]) {
					ts.Fatalf("%s has no %q", name, args[0])
				}
				ts.Check(os.WriteFile(ts.MkAbs(name), []byte(strings.ReplaceAll(text, args[0], args[1])), 0o600))
			}
		},
		"fill": func(ts *testscript.TestScript, _ bool, args []string) {
			for _, name := range args {
				text := os.Expand(ts.ReadFile(name), ts.Getenv)
				ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
			}
		},
	}
}

// serve begins a server for http and one for https, at $HTTP and $HTTPS, which the command trusts.
func serve(ts *testscript.TestScript, conns *atomic.Int64) {
	handler := http.NewServeMux()
	handler.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "hello ", strings.TrimPrefix(r.URL.Path, "/v1/"))
	})
	handler.HandleFunc("/header", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%d, Authorization %q, X-Api-Key %q", len(r.Header.Get("Authorization")+r.Header.Get("X-Api-Key")), r.Header.Get("Authorization"), r.Header.Get("X-Api-Key"))
	})
	handler.HandleFunc("/user/repos", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer geheim-0123456789" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		fmt.Fprint(w, `[{"full_name": "me/one"}, {"full_name": "me/two"}]`)
	})
	for _, name := range []string{"HTTP", "HTTPS"} {
		s := httptest.NewUnstartedServer(handler)
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				conns.Add(1)
			}
		}
		if name == "HTTP" {
			s.Start()
		} else {
			s.StartTLS()
			file := ts.MkAbs("roots.pem")
			ts.Check(os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600))
			ts.Setenv("SSL_CERT_FILE", file)
		}
		ts.Defer(s.Close)
		ts.Setenv(name, s.Listener.Addr().String())
	}
}
