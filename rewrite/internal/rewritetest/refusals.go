package rewritetest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"
)

// A Case is a file of an archive of sources that say in comments what a stage finds in them:
//
//	x := None // want Undefined "undefined: None" hint "nil"
//
// is a finding of that code on that line, whose message and hint have these parts. A code may stand several times. A line
//
//	//repeat 100 type T{i} struct{ T{p} }
//
// stands for that many lines, with {i} from 1 and {p} from 0. Lines //cell begin the next cell of a session, lines
// //file lib/lib.go a file of a package that comes with the script. Other lines with a word behind // at the begin of a part
// are Settings.
type Case struct {
	Name     string
	Settings []string // without //
	Parts    []Part
}

// A Part of a case is the script, a cell or a file.
type Part struct {
	File  string // "" for the script and for cells
	Text  string
	wants []want
}

// A Finding is what a stage says about a line.
type Finding struct {
	File                string
	Line                int
	Code, Message, Hint string
}

type want struct {
	Finding
	found bool
}

// Refusals runs a function for each case of the archives that match a pattern.
func Refusals(t *testing.T, pattern string, run func(*testing.T, *Case)) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archive matches %s: %v", pattern, err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		topic := strings.TrimSuffix(filepath.Base(path), ".txtar")
		for _, f := range txtar.Parse(data).Files {
			t.Run(topic+"/"+f.Name, func(t *testing.T) {
				c, err := newCase(f.Name, string(f.Data))
				if err != nil {
					t.Fatal(err)
				}
				run(t, c)
			})
		}
	}
}

var setting = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^//([a-z]+)( .*)?$`) })

func newCase(name, text string) (*Case, error) {
	c := &Case{Name: name, Parts: []Part{{}}}
	begin := true
	for line := range strings.Lines(text) {
		m := setting().FindStringSubmatch(strings.TrimRight(line, "\n"))
		part := &c.Parts[len(c.Parts)-1]
		switch {
		case m == nil:
			part.Text += line
			begin = begin && strings.TrimSpace(line) == ""
		case m[1] == "cell":
			c.Parts, begin = append(c.Parts, Part{}), true
		case m[1] == "file":
			c.Parts, begin = append(c.Parts, Part{File: strings.TrimSpace(m[2])}), true
		case m[1] == "repeat":
			number, rest, _ := strings.Cut(strings.TrimSpace(m[2]), " ")
			n, err := strconv.Atoi(number)
			if err != nil {
				return nil, err
			}
			part.Text += Series(n, rest+"\n")
			begin = false
		case begin:
			c.Settings = append(c.Settings, strings.TrimSpace(m[1]+m[2]))
		default:
			part.Text += line
		}
	}
	for i := range c.Parts {
		if err := c.Parts[i].readWants(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Series repeats a text n times, with {i} from 1 and {p} from 0.
func Series(n int, text string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		b.WriteString(strings.NewReplacer("{i}", strconv.Itoa(i), "{p}", strconv.Itoa(i-1)).Replace(text))
	}
	return b.String()
}

const quoted = "(\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)"

var wanted = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Z]\w+) ` + quoted + `(?: hint ` + quoted + `)?(?: |$)`)
})

func (p *Part) readWants() error {
	line := 0
	for text := range strings.Lines(p.Text) {
		line++
		_, list, ok := strings.Cut(strings.TrimRight(text, "\n"), "// want ")
		for ok && list != "" {
			m := wanted().FindStringSubmatch(list)
			if m == nil {
				return fmt.Errorf("line %d: %q is no list of findings", line, list)
			}
			w := want{Finding: Finding{File: p.File, Line: line, Code: m[1]}}
			var err error
			if w.Message, err = strconv.Unquote(m[2]); err != nil {
				return fmt.Errorf("line %d: %s: %v", line, m[2], err)
			}
			if m[3] != "" {
				if w.Hint, err = strconv.Unquote(m[3]); err != nil {
					return fmt.Errorf("line %d: %s: %v", line, m[3], err)
				}
			}
			p.wants = append(p.wants, w)
			list = list[len(m[0]):]
		}
	}
	return nil
}

// Compare wants that the findings are those of the comments in parts, no more and no less.
func Compare(t *testing.T, parts []Part, found []Finding) {
	t.Helper()
	for _, f := range found {
		if !take(parts, f) {
			t.Errorf("%sline %d: found and not wanted: %s %q hint %q", f.File, f.Line, f.Code, f.Message, f.Hint)
		}
	}
	for _, p := range parts {
		for _, w := range p.wants {
			if !w.found {
				t.Errorf("%sline %d: wanted and not found: %s %q hint %q", w.File, w.Line, w.Code, w.Message, w.Hint)
			}
		}
	}
}

func take(parts []Part, f Finding) bool {
	for _, p := range parts {
		for i := range p.wants {
			w := &p.wants[i]
			if !w.found && w.File == f.File && w.Line == f.Line && w.Code == f.Code &&
				strings.Contains(f.Message, w.Message) && strings.Contains(f.Hint, w.Hint) {
				w.found = true
				return true
			}
		}
	}
	return false
}
