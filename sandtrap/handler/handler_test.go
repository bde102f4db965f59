package handler_test

import (
	"errors"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/handler"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
	_ "github.com/sandtrap-go/sandtrap/sandtrap/yaegi"
)

func TestMain(m *testing.M) {
	worker.Init()
	os.Exit(m.Run())
}

// isolations are those that this machine has.
func isolations(t *testing.T) []sandtrap.Isolation {
	t.Helper()
	list := []sandtrap.Isolation{sandtrap.None, sandtrap.Process}
	if machine.Raced {
		return list
	}
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Isolation: sandtrap.Kernel})
	if err != nil {
		t.Logf("no isolation kernel: %v", err)
		return list
	}
	box.Close()
	return append(list, sandtrap.Kernel)
}

func eachIsolation(t *testing.T, test func(t *testing.T, p sandtrap.Policy)) {
	for _, mode := range isolations(t) {
		t.Run(string(mode), func(t *testing.T) {
			p := sandtrap.Policy{Std: append(sandtrap.StdDefault(), "net/http"), Isolation: mode}
			p.Limits.Timeout = 20 * time.Second
			test(t, p)
		})
	}
}

// session runs text in a session of its own.
func session(t testing.TB, p sandtrap.Policy, text string) *sandtrap.Session {
	t.Helper()
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	s, err := box.Session()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if _, err := s.Run(t.Context(), sandtrap.Script{Text: text}); err != nil {
		t.Fatal(err)
	}
	return s
}

func serve(t testing.TB, p sandtrap.Policy, text string, o handler.Options) *handler.Handler {
	t.Helper()
	h, err := handler.New(t.Context(), session(t, p, text), "Handler", o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestForms: a handler may be a variable, a function, or what a function returns, in a program or a snippet.
func TestForms(t *testing.T) {
	const f = "func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method, r.URL.Path) }"
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		for name, text := range map[string]string{
			"function":         "func Handler" + strings.TrimPrefix(f, "func"),
			"variable":         "Handler := http.HandlerFunc(" + f + ")",
			"interface":        "var Handler http.Handler = http.HandlerFunc(" + f + ")",
			"literal":          "Handler := " + f,
			"maker":            "func Handler() http.Handler { return http.HandlerFunc(" + f + ") }",
			"mux":              "Handler := http.NewServeMux(); Handler.HandleFunc(\"/\", " + f + ")",
			"maker of a mux":   "func Handler() *http.ServeMux { m := http.NewServeMux(); m.HandleFunc(\"/\", " + f + "); return m }",
			"own type":         "type T struct{}\nfunc (T) ServeHTTP" + strings.TrimPrefix(f, "func") + "\nvar Handler T",
			"program":          "package main\nimport (\n\"fmt\"\n\"net/http\"\n)\nvar Handler http.Handler\nfunc main() { Handler = http.HandlerFunc(" + f + ") }",
			"fenced":           "Here it is:\n```go\npackage main\nimport (\n\"fmt\"\n\"net/http\"\n)\nfunc Handler" + strings.TrimPrefix(f, "func") + "\nfunc main() {}\n```\n",
			"shadowed imports": "url := 1; context := 2\nfunc Handler" + strings.TrimPrefix(f, "func"),
		} {
			h := serve(t, p, text, handler.Options{})
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("PUT", "/x", strings.NewReader("body")))
			if w.Code != 200 || w.Body.String() != "PUT/x" {
				t.Errorf("%s: %d %s", name, w.Code, w.Body)
			}
		}
	})
}

// TestNoHandler: what is no handler is an error that says so.
func TestNoHandler(t *testing.T) {
	p := sandtrap.Policy{Std: append(sandtrap.StdDefault(), "net/http")}
	s := session(t, p, "var Nil http.Handler; n := 3; func Main() {}; func Panics() http.Handler { panic(1) }")
	for name, want := range map[string]string{
		"Nil": "is nil", "n": "neither", "Main": "neither", "None": `the session declares no "None"; run a script`, "main": `no "main"; did you mean "Main"?`, "a.b": "not the name", "Panics": "cell1.go:1:",
	} {
		if _, err := handler.New(t.Context(), s, name, handler.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestYaegi: engine yaegi has nothing of net/http: it calls methods of values of the host's, such as those that write files.
func TestYaegi(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: []string{"..."}, Engine: "yaegi"})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	if _, err := box.Run(t.Context(), sandtrap.Script{Text: "println(http.StatusOK)"}); !errors.Is(err, sandtrap.ErrRefused) {
		t.Errorf("error %v", err)
	}
}
