package sandtraptest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const root = "../../"

func load(t *testing.T, dirs ...string) []Case {
	t.Helper()
	var all []Case
	for _, dir := range dirs {
		cases, err := Load(root + dir)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, cases...)
	}
	return all
}

func TestParseWants(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []Want
		fail       bool
	}{
		{name: "whole", text: "// want: ticks|timeout\npackage main", want: []Want{{Kinds: []string{"ticks", "timeout"}}}},
		{name: "line", text: "a\nb() // reject: denied \"os.\\\"x\\\"\"", want: []Want{{Kinds: []string{"denied"}, Line: 2, Text: `os."x"`}}},
		{name: "engine", text: "// want vm: panic \"[5]\"", want: []Want{{Kinds: []string{"panic"}, Text: "[5]", Engine: "vm"}}},
		{name: "misspelt engine", text: "// want mv: panic", fail: true},
		{name: "misspelt kind", text: "// want: tikcs", fail: true},
		{name: "no kind", text: "// want:", fail: true},
		{name: "open quote", text: `// want: panic "x`, fail: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := parseWants(tc.text)
			if (err != nil) != tc.fail {
				t.Fatalf("error %v, want one: %v", err, tc.fail)
			}
			if !tc.fail && fmt.Sprint(got) != fmt.Sprint(tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func TestParseLimits(t *testing.T) {
	got, err := parseLimits("text\nlimits: ticks=7 memory=2MiB timeout=50ms\n")
	want := defaultLimits
	want.Ticks, want.Memory, want.Timeout = 7, 2<<20, 50e6
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for _, bad := range []string{"limits: tick=1", "limits: ticks=x", "limits: timeout=3"} {
		if _, err := parseLimits(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

// TestAcceptGo holds the expectations themselves against the Go toolchain.
func TestAcceptGo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every program with the Go toolchain")
	}
	cases := load(t, "testdata/accept", "testdata/regress", "docs/examples")
	bin := buildAll(t, cases)
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(filepath.Join(bin, "p"+strconv.Itoa(i)))
			cmd.Stdin = strings.NewReader(c.Sections["stdin"])
			got, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if want := c.Sections["stdout"]; string(got) != want {
				t.Errorf("go run prints\n%s\nthe file says\n%s", got, want)
			}
		})
	}
}

// buildAll builds all cases as mains of one module, which is many times faster
// than one by one, and returns the directory of the binaries.
func buildAll(t *testing.T, cases []Case) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module judged\n\ngo 1.26\n")
	for i, c := range cases {
		write(t, filepath.Join(dir, "p"+strconv.Itoa(i), "main.go"), c.Script)
	}
	bin := filepath.Join(dir, "bin")
	cmd := exec.Command("go", "build", "-o", bin+"/", "./...")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestGenerate keeps the templates of long scripts from shrinking to nothing.
func TestGenerate(t *testing.T) {
	got, err := generate(`{{repeat 3 "("}}{{range seq 2}}{{inc .}};{{end}}`)
	if want := "(((1;2;"; got != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if _, err := generate("{{"); err == nil || !strings.Contains(err.Error(), "template") {
		t.Errorf("a broken template gives %v", err)
	}
}

func TestCorpusReads(t *testing.T) {
	hostile := load(t, "testdata/escape", "testdata/reject")
	if len(hostile) < 200 {
		t.Errorf("%d hostile programs, want at least 200", len(hostile))
	}
	seen := map[string]bool{}
	for _, c := range hostile {
		if seen[c.Name] {
			t.Errorf("two cases are named %s", c.Name)
		}
		seen[c.Name] = true
	}
}
