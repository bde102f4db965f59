package sandtraptest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

var (
	diffTime = flag.Duration("difftime", time.Second, "how long TestDifferential makes programs")
	diffSeed = flag.Uint64("diffseed", 1, "the first seed of TestDifferential")
)

const (
	diffBatch = 25
	diffMark  = "\n--8<--\n"
)

// TestDifferential: compiled Go and the vm print the same for programs made up at
// random. A failure shows the seed and the first lines that differ; program writes
// the rest again.
func TestDifferential(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command: ", err)
	}
	seed, end := *diffSeed, time.Now().Add(*diffTime)
	for ; seed == *diffSeed || time.Now().Before(end); seed += diffBatch {
		for i, want := range compiled(t, seed, program) {
			want = strings.ReplaceAll(want, diffPackage(i)+".", "main.")
			if got := interpreted(t, program(seed+uint64(i), "main", "main")); got != want {
				t.Errorf("seed %d: %s", seed+uint64(i), firstDifference(got, want))
			}
		}
	}
	t.Logf("%d programs", seed-*diffSeed)
}

func diffPackage(i int) string { return fmt.Sprintf("zq%02dzq", i) }

// compiled is what a batch of programs prints, built as one.
func compiled(t *testing.T, seed uint64, program func(seed uint64, pkg, main string) string) []string {
	dir := t.TempDir()
	var imports, calls strings.Builder
	for i := range diffBatch {
		p := diffPackage(i)
		writeText(t, filepath.Join(dir, p, "p.go"), program(seed+uint64(i), p, "Main"))
		fmt.Fprintf(&imports, "import \"m/%s\"\n", p)
		fmt.Fprintf(&calls, "run(%s.Main)\n", p)
	}
	writeText(t, filepath.Join(dir, "go.mod"), "module m\ngo 1.25\n")
	writeText(t, filepath.Join(dir, "main.go"), "package main\n"+imports.String()+
		"import \"fmt\"\nfunc run(f func()) { defer fmt.Print(`"+diffMark+"`); defer func() { if e := recover(); e != nil { fmt.Print(\"panic: \", e) } }(); f() }\n"+
		"func main() {\n"+calls.String()+"}\n")
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("seed %d: %v\n%.2000s", seed, err, stderr.String())
	}
	parts := strings.Split(string(out), diffMark)
	return parts[:len(parts)-1]
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// interpreted is what the program prints in a sandbox.
func interpreted(t *testing.T, text string) string {
	p := pure()
	p.Engine = "vm"
	box, err := sandtrap.New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, err := box.Run(context.Background(), sandtrap.Script{Text: text})
	if res == nil {
		t.Fatal(err)
	}
	if e := res.Error; e != nil && e.Kind == sandtrap.KindPanic {
		return res.Stdout + "panic: " + strings.TrimPrefix(e.Message, "panic: ")
	} else if e != nil {
		return res.Stdout + e.Error()
	}
	return res.Stdout
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d is %q, want %q", i+1, g[i], strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
	return "the output ends after line " + fmt.Sprint(len(g))
}
