package upstream_test

import (
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/upstream/fake"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestDocs: the configuration and the script of docs/upstream.md work, and its table has the keys that there are.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/upstream.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(language string) string {
		m := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindSubmatch(text)
		if m == nil {
			t.Fatalf("there is no block of %s", language)
		}
		return string(m[1])
	}
	t.Setenv("GITHUB_TOKEN", "a")
	t.Setenv("NOTES_TOKEN", "b")
	s := httptest.NewServer(fake.Handler())
	defer s.Close()
	config := strings.NewReplacer("/usr/local/bin/github-mcp-server", "COMMAND", "    env:\n", "    env:\n      FAKE: github\n",
		"https://notes.example.com/mcp", s.URL+"\n    loopback: true").Replace(block("yaml"))
	r := serve(t, sandtrap.None, config)
	if got, want := r.run(t, "alpha", block("go")), "1 first of me before:  <nil>\n2 second before: first of me <nil>\n"; got != want {
		t.Errorf("%s\nwant\n%s\n%s", got, want, r.log)
	}
}
