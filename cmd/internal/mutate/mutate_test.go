package mutate

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fewest is how many defences there are at least; it only goes up.
const fewest = 160

// TestRows: each row changes its file in one place, to what parses if that is Go, and names a test that is there.
func TestRows(t *testing.T) {
	rows := Table()
	if len(rows) < fewest {
		t.Errorf("%d defences, want %d", len(rows), fewest)
	}
	seen := map[string]bool{}
	for _, m := range rows {
		if seen[m.ID] || m.Defence == "" || strings.Count(m.ID, "/") != 1 {
			t.Errorf("%s: its id is not its own, or it says nothing", m.ID)
		}
		seen[m.ID] = true
		changed, err := m.apply(read(t, m.File))
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), m.File, changed, parser.SkipObjectResolution); err != nil && strings.HasSuffix(m.File, ".go") {
			t.Errorf("%s: the changed file does not parse: %v", m.ID, err)
		}
		if top, _, _ := strings.Cut(m.Test, "/"); !hasTest(t, m.Package, top) {
			t.Errorf("%s: %s has no test that matches %s", m.ID, m.Package, top)
		}
	}
}

var testDecl = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

func hasTest(t *testing.T, pkg, pattern string) bool {
	t.Helper()
	whole := regexp.MustCompile("^(" + pattern + ")$")
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && slices.ContainsFunc(testDecl.FindAllStringSubmatch(string(text), -1), func(m []string) bool {
			return whole.MatchString(m[1])
		})
	})
}

// TestPage: docs/defences.md is what the rows say.
func TestPage(t *testing.T) {
	if read(t, page) != pageText(Table()) {
		t.Errorf("%s is not what the rows say: go run ./cmd/mutate -docs", page)
	}
}

// TestAreasOnce: each area has one heading.
func TestAreasOnce(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(pageText(Table())) {
		if strings.HasPrefix(line, "## ") && seen[line] {
			t.Errorf("%q stands there twice", line)
		}
		seen[line] = true
	}
}

// TestJudge: of what go test prints only an assertion is a kill, or a death that the row speaks of.
func TestJudge(t *testing.T) {
	const failed = `{"Action":"output","Test":"TestA","Output":"    a_test.go:3: panic: no\n"}` + "\n" + `{"Action":"fail","Test":"TestA"}` + "\n" + `{"Action":"fail"}`
	const passed = `{"Action":"pass","Test":"TestA"}` + "\n" + `{"Action":"pass"}`
	const died = `{"Action":"output","Test":"TestA","Output":"panic: oh\n"}` + "\n" + `{"Action":"fail","Test":"TestA"}`
	const late = `{"Action":"output","Output":"panic: test timed out after 5m0s\n"}` + "\n" + `{"Action":"fail","Test":"TestA"}`
	const build = `{"Action":"build-output","Output":"x.go:1: undefined: x\n"}` + "\n" + `{"Action":"build-fail"}` + "\n" + `{"Action":"fail","FailedBuild":"m"}`
	const none = `{"Action":"output","Output":"testing: warning: no tests to run\n"}` + "\n" + `{"Action":"pass"}`
	const skip = `{"Action":"output","Test":"TestA","Output":"    a_test.go:9: no namespaces\n"}` + "\n" + `{"Action":"skip","Test":"TestA"}` + "\n" + `{"Action":"pass"}`
	for _, tc := range []struct {
		name, lines, crash string
		whole, without     verdict
		test               string
	}{
		{"fails", failed, "", broken, killed, "TestA"},
		{"passes", passed, "", "", survived, "TestA"},
		{"dies", died, "", broken, broken, "TestA"},
		{"dies as the row says", died, "panic: oh", broken, killed, "TestA"},
		{"dies of something else", died, "stack overflow", broken, broken, "TestA"},
		{"does not end", late, "", broken, broken, "TestA"},
		{"does not build", build, "", broken, broken, "TestA"},
		{"does not build, with a row of a death", build, "undefined", broken, broken, "TestA"},
		{"is not there", none, "", broken, survived, "TestA"},
		{"is skipped", skip, "", skipped, survived, "TestA"},
		{"is skipped in part", skip + "\n" + passed, "", "", survived, "TestA"},
		{"is a part that is not there", passed, "", broken, survived, "TestA/part"},
	} {
		e := readEnding(strings.NewReader(tc.lines))
		if got, why := (Mutation{Test: tc.test}).judgeWhole(e); got != tc.whole {
			t.Errorf("%s: with the defence %q, want %q: %s", tc.name, got, tc.whole, why)
		}
		if got, why := (Mutation{Crash: tc.crash}).judge(e); got != tc.without {
			t.Errorf("%s: without the defence %q, want %q: %s", tc.name, got, tc.without, why)
		}
	}
	if _, why := (Mutation{Test: "TestA"}).judgeWhole(readEnding(strings.NewReader(skip))); !strings.Contains(why, "no namespaces") {
		t.Errorf("the reason to skip is %q", why)
	}
}

// TestApply: a row whose text is not in the source, or twice, is an error.
func TestApply(t *testing.T) {
	for _, tc := range []struct{ old, new, want string }{
		{"b", "x", "axc"}, {"d", "x", ""}, {"", "x", ""}, {"b", "b", ""}, {"a", "x", ""},
	} {
		source := "abc"
		if tc.old == "a" {
			source = "aba"
		}
		got, err := Mutation{Old: tc.old, New: tc.new}.apply(source)
		if got != tc.want || (err != nil) != (tc.want == "") {
			t.Errorf("%q for %q: %q, %v", tc.new, tc.old, got, err)
		}
	}
}

// TestNoneChosen: a wrong id, and an argument without a flag, are no success.
func TestNoneChosen(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"-run nothing/of-the-kind", "mutate: no defence is chosen; docs/defences.md lists the ids\n"},
		{"-sample 0", "mutate: no defence is chosen; docs/defences.md lists the ids\n"},
		{"syntax/bidi", "mutate: no flag goes with \"syntax/bidi\": -run is for those that are tried by id\n"},
	} {
		var stdout, stderr strings.Builder
		if code := Main(strings.Fields(tc.args), &stdout, &stderr); code != 2 || stderr.String() != tc.want {
			t.Errorf("%s: exit code %d, %q", tc.args, code, stderr.String())
		}
	}
}

// TestSample: the same seed chooses the same rows, another one others, and all come to their turn.
func TestSample(t *testing.T) {
	if a, b := sample(100, 8, "x"), sample(100, 8, "x"); !slices.Equal(a, b) {
		t.Errorf("%v and %v", a, b)
	}
	chosen := map[int]bool{}
	for i := range 200 {
		for _, n := range sample(100, 8, string(rune('a'+i))) {
			chosen[n] = true
		}
	}
	if len(chosen) != 100 {
		t.Errorf("%d of 100 are ever chosen", len(chosen))
	}
	if got := sample(3, 8, "x"); len(got) != 3 {
		t.Errorf("of 3: %v", got)
	}
}

// TestTry tries rows on a module of two lines.
func TestTry(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module five times")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module m\ngo 1.24\n",
		"a.go":      "package m\n\nfunc Limit(n int) int { return min(n, 10) }\n",
		"a_test.go": "package m\n\nimport \"testing\"\n\nfunc TestLimit(t *testing.T) {\n\tif Limit(20) != 10 {\n\t\tt.Error(\"no limit\")\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := &runner{root: dir, whole: map[string]ending{}}
	for _, tc := range []struct {
		old, new, test string
		want           verdict
	}{
		{"min(n, 10)", "n", "TestLimit", killed},
		{"min(n, 10)", "min(10, n)", "TestLimit", survived},
		{"min(n, 10)", "min(n, ten)", "TestLimit", broken},
		{"max(n, 10)", "n", "TestLimit", broken},
		{"min(n, 10)", "n", "TestNone", broken},
	} {
		m := Mutation{ID: "a/a", File: "a.go", Old: tc.old, New: tc.new, Package: ".", Test: tc.test}
		got, why, err := r.try(t.Context(), m)
		if got != tc.want || err != nil {
			t.Errorf("%s for %s: %q, want %q: %s, %v", tc.new, tc.old, got, tc.want, why, err)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "a.go")); !strings.Contains(string(text), "min(n, 10)") {
		t.Error("the source itself was changed")
	}
}
