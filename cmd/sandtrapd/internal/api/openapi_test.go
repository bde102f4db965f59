package api

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

var update = flag.Bool("update", false, "write openapi.json, and the table of routes in docs/serve.md")

// TestDocument: openapi.json is what the routes and the comments of the types make, and another program that knows OpenAPI 3.1 finds it
// valid.
func TestDocument(t *testing.T) {
	want, err := openAPI(routes())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(document, want) {
		t.Errorf("openapi.json is not that of the routes; go test ./internal/api -run TestDocument -update writes it")
	}
	doc, err := openapi3.NewLoader().LoadFromData(want)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.IsOpenAPI31OrLater()); err != nil {
		t.Error(err)
	}
}

// TestRouteComplete: each route has a description, a name of its own, types, and descriptions of its parameters.
func TestRouteComplete(t *testing.T) {
	names := map[string]bool{}
	for _, r := range routes() {
		where := r.method + " " + r.path
		if r.about == "" || r.about[len(r.about)-1] != '.' {
			t.Errorf("%s: %q is not a sentence", where, r.about)
		}
		if r.name == "" || names[r.name] {
			t.Errorf("%s: the name %q is empty, or another route has it", where, r.name)
		}
		names[r.name] = true
		if r.do == nil {
			t.Errorf("%s: nothing serves it", where)
		}
		if r.out == nil && r.method == http.MethodGet {
			t.Errorf("%s: the type of the response is missing", where)
		}
		if _, text := r.in.(string); text {
			t.Errorf("%s: the body is a string, which is JSON; text is a media", where)
		}
		if _, text := r.out.(string); text {
			t.Errorf("%s: the response is a string, which is JSON; text is a media", where)
		}
		for _, p := range r.query {
			if p.name == "" || p.about == "" {
				t.Errorf("%s: the parameter %q is not described", where, p.name)
			}
		}
	}
}

// TestDocumentIsServed: nobody needs a key for it.
func TestDocumentIsServed(t *testing.T) {
	w := httptest.NewRecorder()
	(&Server{}).Handler().ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/openapi.json", nil))
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/json" || !bytes.Equal(w.Body.Bytes(), document) {
		t.Errorf("%d, %s, %d bytes", w.Code, w.Header().Get("Content-Type"), w.Body.Len())
	}
}

// TestRoutesInDocs: the table of docs/serve.md is that of the routes.
func TestRoutesInDocs(t *testing.T) {
	path := root + "/docs/serve.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- routes -->\n", "<!-- /routes -->"
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, both := strings.Cut(rest, end)
	if !ok || !both {
		t.Fatalf("%s has no place for the table", path)
	}
	var table strings.Builder
	table.WriteString("| route | role | |\n|---|---|---|\n")
	for _, r := range routes() {
		fmt.Fprintf(&table, "| `%s %s` | %s | %s |\n", r.method, r.path, cmp.Or(string(r.role), "everybody"), r.about)
	}
	want := before + begin + table.String() + end + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Errorf("the table of %s is not that of the routes; go test ./internal/api -run 'TestDocument$|TestRoutesInDocs' -update writes it", path)
	}
}
