package sandtraptest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// TestExamples runs the examples in the documentation of the standard library, as
// the installed Go has them, and wants the output that they say they have, but
// of those in knownExamples.
func TestExamples(t *testing.T) {
	total := 0
	for _, path := range sandtrap.StdDefault() {
		t.Run(path, func(t *testing.T) {
			passed, known := 0, 0
			list := examplesOf(t, path)
			for _, e := range list {
				name := path + "." + e.Name
				why := exampleFails(t, e)
				reason, listed := knownExamples[name]
				switch {
				case why == "" && listed:
					t.Logf("%s passes: take it off the list", name)
				case why == "":
					passed++
				case listed:
					known++
					t.Logf("%s: known: %s", name, reason)
				default:
					t.Errorf("%s: %s", name, why)
				}
			}
			total += passed
			t.Logf("%d of %d examples pass, %d known not to", passed, len(list), known)
		})
	}
	if total < 300 {
		t.Errorf("only %d examples pass: the test does not find them", total)
	}
}

// examplesOf are the examples of a package that have an output and can be made
// programs of.
func examplesOf(t *testing.T, path string) []*doc.Example {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", path, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if !strings.HasPrefix(filepath.Base(name), "example") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return slices.DeleteFunc(doc.Examples(files...), func(e *doc.Example) bool {
		return e.Play == nil || e.Output == "" && !e.EmptyOutput
	})
}

// exampleFails runs an example and tells what is wrong, "" if nothing is.
func exampleFails(t *testing.T, e *doc.Example) string {
	t.Helper()
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{
		Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: 20 * time.Second, Memory: 256 << 20},
		Env:   map[string]string{},
		Files: &sandtrap.Files{Cwd: "/", Open: func() (afero.Fs, error) { return vfs.Mem(), nil }},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	var src bytes.Buffer
	if err := format.Node(&src, token.NewFileSet(), e.Play); err != nil {
		t.Fatal(err)
	}
	res, err := box.Run(t.Context(), sandtrap.Script{Text: src.String()})
	if err != nil {
		return strings.ReplaceAll(describe(res), "\n", " ")
	}
	got, want := strings.TrimSpace(asMain(res.Stdout)), strings.TrimSpace(asMain(e.Output))
	if e.Unordered {
		got, want = sortedLines(got), sortedLines(want)
	}
	if got != want {
		return fmt.Sprintf("got\n%s\nwant\n%s", got, want)
	}
	return ""
}

// asMain is a text with the names that package main has where the example had those
// of its test.
func asMain(s string) string {
	return exampleName.ReplaceAllStringFunc(s, func(name string) string {
		if _, example, _ := strings.Cut(name, "."); example != "" {
			return "main.main"
		}
		return "main."
	})
}

var exampleName = regexp.MustCompile(`\b\w+_test\.(Example\w*)?`)

func sortedLines(s string) string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// knownExamples fail, for a reason.
var knownExamples = map[string]string{
	"io/ioutil.ReadFile":                "opens a file beside the example",
	"encoding/pem.Decode":               "crypto/x509 is not for scripts",
	"os/signal.NotifyContext":           "no process can be named, nor sent a signal",
	"reflect.StructOf":                  "a type made at run time is never freed",
	"archive/zip.Reader":                "opens a file beside the example",
	"compress/gzip._compressingReader":  "there is no network",
	"context.AfterFunc_connection":      "there is no network",
	"flag.Func":                         "there is no network",
	"flag.TextVar":                      "there is no network",
	"flag.Value":                        "a type of the script's is not given to the host as flag.Value",
	"log/slog.Group":                    "there is no network",
	"log/slog.GroupAttrs":               "there is no network",
	"log/slog.Handler_levelHandler":     "a type of the script's is not given to the host as slog.Handler",
	"log/slog.LogValuer_secret":         "LogValue of a type of the script's is not asked",
	"log/slog._wrapping":                "places would be in the host's code",
	"html/template.Template_glob":       "templates are not read from files",
	"html/template.Template_helpers":    "templates are not read from files",
	"html/template.Template_parsefiles": "templates are not read from files",
	"html/template.Template_share":      "templates are not read from files",
	"log.Logger":                        "the file of a script has another name",
	"log.Logger_Output":                 "the file of a script has another name",
	"os.ReadFile":                       "reads a file beside the example",
	"os.UserCacheDir":                   "a script has no user",
	"os.UserConfigDir":                  "a script has no user",
	"runtime.AddCleanup":                "cleanups would run on goroutines of the host",
	"strings.Clone":                     "uses unsafe",
	"sync.OnceValues":                   "reads a file beside the example",
	"text/template.Template_glob":       "templates are not read from files",
	"text/template.Template_helpers":    "templates are not read from files",
	"text/template.Template_share":      "templates are not read from files",
	"time.Date":                         "Go's test sets the local zone to one of America",
	"time.Parse":                        "Go's test sets the local zone to one of America",
	"time.Time_Format":                  "Go's test sets the local zone to one of America",
}
