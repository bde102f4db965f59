package conformance

import (
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A program is one test and the output it has to have.
type program struct {
	name    string // path below the root of its set
	file    string
	want    string
	imports []string
	trim    bool // space at the ends of output does not count, as in examples of Go
}

// A set is a collection of programs with the rule by which they were chosen.
type set struct {
	name string
	rule string
	load func() ([]program, error)
}

var sets = []set{
	{"go", goRule, goPrograms},
	{"yaegi", yaegiRule, yaegiPrograms},
}

const goRule = "Every program below `$(go env GOROOT)/test` whose first line is `// run`, which is built on this system,\n" +
	"consists of one file, and imports none of " + deniedText + ".\n" +
	"The lines of its stdout and stderr together have to be those of its `.out` file, or none; the order between the two is not known."

const yaegiRule = "Every program in `_test` of the yaegi module with an `// Output:` comment that consists of one file and imports none of\n" +
	deniedText + ". The lines of its stdout and stderr together have to be those of the comment, but for space at the ends."

// denied lists what a sandbox must deny. A name stands for all below it too.
var denied = []string{
	"C", "unsafe", "runtime", "reflect", "syscall", "os/exec", "os/signal", "net", "plugin",
	"testing", "internal", "debug", "go",
}

const deniedText = "C, unsafe, runtime, reflect, syscall, os/exec, os/signal, net, plugin, testing, internal, debug, go (nor anything below them)"

func isDenied(path string) bool {
	return slices.ContainsFunc(denied, func(d string) bool {
		return path == d || strings.HasPrefix(path, d+"/")
	})
}

// goPrograms finds Go's own test programs.
func goPrograms() ([]program, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "test")
	return collect(root, func(file, text string) (string, bool) {
		first, _, _ := strings.Cut(text, "\n")
		if strings.TrimRight(first, " \r") != "// run" {
			return "", false
		}
		want, err := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
		return string(want), err == nil || os.IsNotExist(err)
	})
}

// yaegiPrograms finds the programs that yaegi is tested with.
func yaegiPrograms() ([]program, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/traefik/yaegi").Output()
	if err != nil {
		return nil, fmt.Errorf("the yaegi module: %w", err)
	}
	programs, err := collect(filepath.Join(strings.TrimSpace(string(dir)), "_test"), func(_, text string) (string, bool) {
		return outputComment(text)
	})
	for i := range programs {
		programs[i].trim = true
	}
	return programs, err
}

// outputComment is the text of the comment lines after // Output:.
func outputComment(text string) (string, bool) {
	_, comment, ok := strings.Cut(text, "\n// Output:\n")
	var out strings.Builder
	for line := range strings.Lines(comment) {
		rest, isComment := strings.CutPrefix(line, "//")
		if !isComment {
			break
		}
		out.WriteString(strings.TrimPrefix(rest, " "))
	}
	return out.String(), ok
}

// collect reads the programs below root that choose takes, with the output that
// choose gives.
func collect(root string, choose func(file, text string) (string, bool)) ([]program, error) {
	var found []program
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".go" {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		want, ok := choose(file, string(text))
		if !ok {
			return nil
		}
		imports, err := importsOf(text)
		if err != nil || slices.ContainsFunc(imports, isDenied) || slices.ContainsFunc(imports, notStandard) {
			return nil
		}
		if built, err := build.Default.MatchFile(filepath.Dir(file), filepath.Base(file)); err != nil || !built {
			return nil
		}
		name, err := filepath.Rel(root, file)
		found = append(found, program{name: filepath.ToSlash(name), file: file, want: want, imports: imports})
		return err
	})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no programs below %s", root)
	}
	return found, err
}

// notStandard says whether the package is a file beside the program, or
// somebody's module.
func notStandard(path string) bool { return strings.Contains(path, ".") }

func importsOf(text []byte) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}
