package differ

import (
	"fmt"
	"go/importer"
	"go/token"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest"
)

// mutantLimits end what changes have made endless. What needs more is not compared.
var mutantLimits = sandtrap.Limits{Ticks: 3_000_000, Timeout: 5 * time.Second, Memory: 64 << 20, Output: 256 << 10, Tasks: 100, Depth: 2000}

// TestMutants: compiled Go and the vm print the same, and end the same way, for programs
// of the corpora and of Go's own tests in which small places were changed.
func TestMutants(t *testing.T) {
	with := findToolchain(t, mutantImports...)
	sources := mutantSources(t)
	r := rand.New(rand.NewPCG(*diffSeed, 3))
	m := &mutator{r, importer.ForCompiler(token.NewFileSet(), "gc", with.open)}
	compared, varying := 0, 0
	for end := time.Now().Add(*diffTime); compared == 0 || time.Now().Before(end); {
		c := newCompiled(t, with)
		var texts []string
		var got []ending
		for len(texts) < diffBatch {
			text := m.mutant(sources[r.IntN(len(sources))])
			if text == "" {
				continue
			}
			e := interpreted(t, text, mutantLimits)
			if strings.HasPrefix(e.how, "limit: ") || c.add(t, text) != nil {
				continue
			}
			texts, got = append(texts, text), append(got, e)
		}
		c.link(t)
		for i, text := range texts {
			want := c.run(t, i)
			switch {
			case same(got[i], want), endsOtherwise(got[i], want):
			case !c.steady(t, i, want):
				varying++
				continue
			default:
				name := fmt.Sprintf("m%d-%d.go", *diffSeed, compared)
				t.Errorf("%s: %s", name, firstDifference(got[i], want))
				leave(t, name, text)
			}
			compared++
		}
		c.remove()
	}
	t.Logf("%d programs made from %d, and %d that Go runs in several ways", compared, len(sources), varying)
}

// open finds the exports of a package.
func (with toolchain) open(path string) (io.ReadCloser, error) {
	_, rest, ok := strings.Cut("\n"+with.packages, "\npackagefile "+path+"=")
	if !ok {
		return nil, fs.ErrNotExist
	}
	file, _, _ := strings.Cut(rest, "\n")
	return os.Open(file)
}

// mutantSources are the programs of the corpora, and those of Go's tests that a sandbox
// runs to their end.
func mutantSources(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, dir := range []string{"testdata/accept", "testdata/regress", "docs/examples"} {
		cases, err := sandtraptest.Load("../../../" + dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			list = append(list, c.Script)
		}
	}
	root := strings.TrimSpace(output(t, "go", "env", "GOROOT"))
	for _, dir := range []string{"", "ken", "chan", "typeparam", "fixedbugs", "interface"} {
		files, err := filepath.Glob(filepath.Join(root, "test", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(string(text), "// run\n") {
				list = append(list, string(text))
			}
		}
	}
	list = slices.DeleteFunc(list, func(src string) bool { return len(src) > 20_000 || !mutable(src) })
	if len(list) < 30 {
		t.Fatalf("%d programs to start from", len(list))
	}
	return list
}

// otherwise are the texts of panics that are known to come where Go has another.
var otherwise = []struct{ text, why string }{
	{"called using nil *", "Go calls the method itself, without the wrapper that says so, where it finds out what an interface holds"},
}

// indexPanic is what may differ in texts of panics where a statement has several: the language
// does not say which comes first, and in a[i] += a[j] it is i for Go's compiler, and here j.
var indexPanic = regexp.MustCompile(`index out of range \[-?[0-9]+\]( with length [0-9]+)?`)

func endsOtherwise(got, want ending) bool {
	if a, b := got, want; indexPanic.MatchString(a.stderr) {
		a.stderr, b.stderr = indexPanic.ReplaceAllString(a.stderr, "index"), indexPanic.ReplaceAllString(b.stderr, "index")
		if same(a, b) {
			return true
		}
	}
	for _, o := range otherwise {
		if got.stdout == want.stdout && got.how == want.how && strings.Contains(got.stderr, o.text) {
			return true
		}
	}
	return false
}

var (
	hexNumber = regexp.MustCompile(`0x[0-9a-f]{6,}`)
	number    = regexp.MustCompile(`[0-9]{6,}`)
)

// noAddresses is text without hex numbers, which may be addresses, and without the numbers
// near them, which may be addresses too.
func noAddresses(text string) string {
	var found []uint64
	text = hexNumber.ReplaceAllStringFunc(text, func(s string) string {
		n, _ := strconv.ParseUint(s, 0, 64)
		found = append(found, n)
		return "@"
	})
	return number.ReplaceAllStringFunc(text, func(s string) string {
		n, err := strconv.ParseUint(s, 10, 64)
		if err == nil && slices.ContainsFunc(found, func(a uint64) bool { return max(a, n)-min(a, n) < 1<<16 }) {
			return "@"
		}
		return s
	})
}

func same(a, b ending) bool { return noAddresses(a.text()) == noAddresses(b.text()) }

// TestNoAddresses: only addresses may differ.
func TestNoAddresses(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		same bool
	}{
		{"0xc000010000 824633786376", "0x59acf0 5876992", true},
		{"0xc000010000 824633786376 1", "0x59acf0 5876992 2", false},
		{"0xc000010000 1000000", "0xc000010000 1000001", false},
		{"824633786376", "5876992", false},
		{"0x12", "0x13", false},
	} {
		if got := same(ending{stdout: tc.a}, ending{stdout: tc.b}); got != tc.same {
			t.Errorf("%q and %q: got %v, want %v", tc.a, tc.b, got, tc.same)
		}
	}
}

// steady reports that a program does each time what it has done once: not one that goes
// over a map.
func (c *compiled) steady(t *testing.T, i int, once ending) bool {
	for range 20 {
		if !same(c.run(t, i), once) {
			return false
		}
	}
	return true
}
