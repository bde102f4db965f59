package handler_test

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/handler"
)

// serveAll is a program that serves each of the handlers in testdata by a server of its own.
const serveAll = `
func of(v any) http.Handler {
	switch v := v.(type) {
	case http.Handler:
		return v
	case func(http.ResponseWriter, *http.Request):
		return http.HandlerFunc(v)
	case func() *http.ServeMux:
		return v()
	}
	return v.(func() http.Handler)()
}

func main() {
	log.SetOutput(io.Discard)
	for _, h := range all {
		fmt.Println(httptest.NewServer(of(h)).URL)
	}
	io.Copy(io.Discard, os.Stdin)
}
`

func handlers(t *testing.T) (names []string, texts map[string]string) {
	t.Helper()
	texts = map[string]string{}
	files, _ := filepath.Glob("testdata/*.go")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(f), ".go")
		names, texts[name] = append(names, name), string(text)
	}
	return names, texts
}

func write(t *testing.T, text string, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compiled serves the handlers as compiled by Go, and returns the addresses.
func compiled(t *testing.T, names []string, texts map[string]string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	imports, list := "", ""
	for _, name := range names {
		own := strings.Replace(texts[name], "package main", "package p"+name, 1)
		write(t, own, dir, "p"+name, "p.go")
		imports += fmt.Sprintf("\t%q\n", "programs/p"+name)
		list += "p" + name + ".Handler, "
	}
	write(t, "module programs\n\ngo 1.26\n", dir, "go.mod")
	write(t, "package main\n\nimport (\n\"fmt\"\n\"io\"\n\"log\"\n\"net/http\"\n\"net/http/httptest\"\n\"os\"\n"+imports+")\n\nvar all = []any{"+list+"}\n"+serveAll, dir, "main.go")
	file := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-o", file, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(file)
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
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	urls, lines := map[string]string{}, bufio.NewScanner(out)
	for _, name := range names {
		if !lines.Scan() {
			t.Fatal("the program ended")
		}
		urls[name] = lines.Text()
	}
	return urls
}

// requests are those of the comment that a text begins with.
func requests(text string) []string {
	text, _, _ = strings.Cut(strings.TrimPrefix(text, "/*\n"), "\n*/")
	return strings.Split(text, "\n---\n")
}

// exchange sends a request to the server at base, and returns all that comes back, but for the date and the encoding of the body.
func exchange(t *testing.T, base, request string) string {
	t.Helper()
	head, body, _ := strings.Cut(request, "\n\n")
	lines := strings.Split(head, "\n")
	method, uri, _ := strings.Cut(lines[0], " ")
	if strings.HasPrefix(head, "POST /multi") || strings.HasPrefix(head, "POST /reader") {
		body = strings.ReplaceAll(body, "\n", "\r\n")
	}
	r, err := http.NewRequest(method, base+uri, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return strings.ReplaceAll(err.Error(), base, "")
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	text := fmt.Sprintln(resp.Status, resp.ContentLength, resp.TransferEncoding)
	resp.Header.Del("Date")
	for _, name := range slices.Sorted(maps.Keys(resp.Header)) {
		text += fmt.Sprintf("%s: %q\n", name, resp.Header[name])
	}
	return strings.ReplaceAll(fmt.Sprintf("%s%q %v %v", text, b, err, resp.Trailer), base, "")
}

// TestSameAsGo: handlers answer requests as those that Go compiles, by a server of net/http.
func TestSameAsGo(t *testing.T) {
	names, texts := handlers(t)
	urls, want := compiled(t, names, texts), map[string][]string{}
	for _, name := range names {
		for _, r := range requests(texts[name]) {
			want[name] = append(want[name], exchange(t, urls[name], r))
		}
	}
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		for _, name := range names {
			s := httptest.NewServer(serve(t, p, texts[name], handler.Options{Done: func(r handler.Request, _ *sandtrap.Result, err error) {
				if err != nil {
					t.Errorf("%s: %s %s: %v", name, r.Method, r.URI, err)
				}
			}}))
			for i, r := range requests(texts[name]) {
				if got := exchange(t, s.URL, r); got != want[name][i] {
					t.Errorf("%s: %s\ngot  %s\nwant %s", name, r, got, want[name][i])
				}
			}
			s.Close()
		}
	})
}
