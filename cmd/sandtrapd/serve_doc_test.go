package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cli"
)

// TestServeExamples runs the examples of docs/serve.md, in their order, and compares what they print with what the document has.
func TestServeExamples(t *testing.T) {
	programs := map[string]string{"sh": "sh", "python": "python3"}
	for _, name := range []string{"sh", "curl", "python3"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("the examples need %s: %v", name, err)
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "serve.md"))
	if err != nil {
		t.Fatal(err)
	}
	env, dir := startServer(t), t.TempDir()
	ran := 0
	parts := strings.Split(string(text), "```")
	for i := 1; i+2 < len(parts); i += 2 {
		language, code, _ := strings.Cut(parts[i], "\n")
		program, want := programs[language], strings.TrimPrefix(parts[i+2], "text\n")
		if program == "" {
			continue
		}
		if want == parts[i+2] {
			t.Errorf("the output is missing of\n%s", code)
		}
		cmd := exec.CommandContext(t.Context(), program)
		cmd.Stdin, cmd.Dir, cmd.Env, cmd.Stderr = strings.NewReader(code), dir, append(os.Environ(), env...), t.Output()
		out, err := cmd.Output()
		if got := withoutEmpty(string(out)); err != nil || got != want {
			t.Errorf("%v: it prints\n%s\nwant\n%s\nof\n%s", err, got, want, code)
		}
		ran++
	}
	if ran < 4 {
		t.Errorf("only %d examples were found", ran)
	}
}

// withoutEmpty is text without its empty lines.
func withoutEmpty(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			out.WriteString(line)
		}
	}
	return out.String()
}

// startServer starts a server as a user does, and gives the variables of its URL and its first key.
func startServer(t *testing.T) []string {
	t.Helper()
	out, in := io.Pipe()
	ended := make(chan int, 1)
	args := []string{"serve", "--listen", "127.0.0.1:0", "--isolation", "none", "--data", t.TempDir()}
	go func() { ended <- cli.Main(args, in, t.Output()) }()
	lines := bufio.NewReader(out)
	var last []string
	for range 2 {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		fields := strings.Fields(line)
		last = append(last, fields[len(fields)-1])
	}
	t.Cleanup(func() {
		self, err := os.FindProcess(os.Getpid())
		if err == nil && self.Signal(os.Interrupt) == nil {
			if code := <-ended; code != 0 {
				t.Errorf("the server ended with %d", code)
			}
		}
	})
	return []string{"URL=" + last[0], "KEY=" + last[1]}
}
