// Package sandtraptest holds sandboxes against programs whose outcome is known.
// The programs and what is expected of each stand together in files; see
// testdata/README.md for their form.
//
// It may not skip a program in silence.
package sandtraptest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"golang.org/x/tools/txtar"
)

// A Case is one script and what has to become of it.
type Case struct {
	Name   string // archive/file
	About  string // what the archive is about, "" if it does not say
	Script string
	Limits Limits
	Files  bool   // it has files in memory
	Wants  []Want // all have to hold
	Known  Known

	// Sections are the other files of the archive by name: stdin, stdout, echo, vars.
	Sections map[string]string
}

// Load reads all cases in a directory. A file ending in .txtar holds one script with
// its sections, or several scripts that carry their expectations in comments;
// a .go file holds one script and its output in a comment.
func Load(dir string) ([]Case, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return nil, err
	}
	return loadFiles(dir, files, os.ReadFile)
}

// LoadFS is Load for the root of fsys, of the files that match the pattern.
func LoadFS(fsys fs.FS, pattern string) ([]Case, error) {
	files, err := fs.Glob(fsys, pattern)
	if err != nil {
		return nil, err
	}
	return loadFiles(pattern, files, func(name string) ([]byte, error) { return fs.ReadFile(fsys, name) })
}

func loadFiles(from string, files []string, read func(string) ([]byte, error)) ([]Case, error) {
	var cases []Case
	for _, file := range files {
		data, err := read(file)
		if err != nil {
			return nil, err
		}
		var more []Case
		switch filepath.Ext(file) {
		case ".txtar":
			more, err = parseArchive(baseName(file), txtar.Parse(data))
		case ".go":
			more, err = parseExample(baseName(file), string(data))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		cases = append(cases, more...)
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("%s holds no cases", from)
	}
	return cases, nil
}

func baseName(file string) string {
	return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
}

// parseExample takes the lines after "// Output:" as the output of the script.
func parseExample(name, text string) ([]Case, error) {
	_, comment, ok := strings.Cut(text, "\n// Output:\n")
	if !ok {
		return nil, fmt.Errorf("no Output comment")
	}
	var out strings.Builder
	for line := range strings.Lines(comment) {
		out.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, "//"), " "))
	}
	return []Case{{
		Name: name, Script: text, Limits: defaultLimits,
		Wants: []Want{{Kinds: []string{"ok"}}}, Known: parseKnown(text),
		Sections: map[string]string{"stdout": out.String()},
	}}, nil
}

// parseArchive tells scripts, which are named *.go, *.txt or *.gen, from
// sections, which have no dot in their name. Sections belong to the script
// before them.
func parseArchive(name string, a *txtar.Archive) ([]Case, error) {
	limits, err := parseLimits(string(a.Comment))
	if err != nil {
		return nil, err
	}
	var cases []Case
	for _, f := range a.Files {
		if strings.Contains(f.Name, ".") {
			c, err := newCase(name+"/"+f.Name, string(f.Data))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			c.Limits, c.About = limits, about(string(a.Comment))
			c.Files = slices.Contains(strings.Split(string(a.Comment), "\n"), "files: mem")
			cases = append(cases, c)
			continue
		}
		if len(cases) == 0 {
			return nil, fmt.Errorf("section %q before the first script", f.Name)
		}
		if err := cases[len(cases)-1].addSection(f.Name, string(f.Data)); err != nil {
			return nil, err
		}
	}
	for i := range cases {
		if !slices.ContainsFunc(cases[i].Wants, func(w Want) bool { return w.Engine == "" }) {
			return nil, fmt.Errorf("%s: nothing is expected on every engine", cases[i].Name)
		}
	}
	return cases, nil
}

// about is the first line of an archive's comment, unless it is one of settings.
func about(comment string) string {
	line, _, _ := strings.Cut(comment, "\n")
	if strings.HasPrefix(line, "limits:") || strings.HasPrefix(line, "files:") {
		return ""
	}
	return line
}

func newCase(name, text string) (Case, error) {
	if strings.HasSuffix(name, ".gen") {
		var err error
		if text, err = generate(text); err != nil {
			return Case{}, err
		}
	}
	wants, err := parseWants(text)
	return Case{Name: name, Script: text, Wants: wants, Known: parseKnown(text), Sections: map[string]string{}}, err
}

func (c *Case) addSection(name, text string) error {
	switch name {
	case "errors":
		wants, err := parseErrors(text)
		c.Wants = append(c.Wants, wants...)
		return err
	case "stdin":
		c.Sections[name] = text
		return nil
	case "stdout", "echo", "vars":
		c.Sections[name] = text
		if len(c.Wants) == 0 {
			c.Wants = []Want{{Kinds: []string{"ok"}}}
		}
		return nil
	}
	return fmt.Errorf("unknown section %q", name)
}

// generate expands the template of a script that is too long to write down.
// {{repeat 1000 "("}} and {{range seq 9}} … {{.}} … {{end}} are there.
func generate(text string) (string, error) {
	t, err := template.New("").Funcs(template.FuncMap{
		"repeat": func(n int, s string) string { return strings.Repeat(s, n) },
		"seq": func(n int) []int {
			s := make([]int, n)
			for i := range s {
				s[i] = i
			}
			return s
		},
		"inc": func(i int) int { return i + 1 },
	}).Parse(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, nil)
	return b.String(), err
}
