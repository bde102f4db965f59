package check_test

import (
	"errors"
	"go/types"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/rewritetest"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// TestCorpus checks the sources of the archives in testdata: what is refused is what their comments say, and nothing else is.
func TestCorpus(t *testing.T) {
	rewritetest.Refusals(t, "testdata/corpus/*.txtar", func(t *testing.T, c *rewritetest.Case) {
		t.Parallel()
		var predeclared []string
		var inputs []check.Input
		for _, s := range c.Settings {
			words := strings.Fields(s)
			switch {
			case words[0] == "predeclared":
				predeclared = append(predeclared, words[1:]...)
			case words[0] == "input" && len(words) >= 3:
				inputs = append(inputs, check.Input{Name: words[1], Type: namedType(t, words[2]), Later: len(words) > 3 && words[3] == "later"})
			default:
				t.Fatalf("unknown setting %q", s)
			}
		}
		u := newUniverse(t, predeclared...)
		files := 0
		for _, p := range c.Parts {
			if p.File != "" {
				files++
			}
		}
		if len(c.Parts) == files+1 {
			checkScript(t, u, c.Parts, inputs)
			return
		}
		checkCells(t, u, c.Parts, inputs)
	})
}

// namedType is a type of the universe, perhaps behind * or [].
func namedType(t *testing.T, text string) types.Type {
	t.Helper()
	if rest, ok := strings.CutPrefix(text, "*"); ok {
		return types.NewPointer(namedType(t, rest))
	}
	if rest, ok := strings.CutPrefix(text, "[]"); ok {
		return types.NewSlice(namedType(t, rest))
	}
	if pkg, name, ok := strings.Cut(text, "."); ok {
		if obj := newUniverse(t).packages[pkg].Scope().Lookup(name); obj != nil {
			return obj.Type()
		}
	} else if obj := types.Universe.Lookup(text); obj != nil {
		return obj.Type()
	}
	t.Fatalf("no type %s", text)
	return nil
}

// source is the script of the parts, which finds the packages of the others.
func source(parts []rewritetest.Part) parse.Source {
	return parse.Source{Text: parts[0].Text, Find: func(dir string) (files []parse.Source, err error) {
		for _, p := range parts {
			if p.File != "" && path.Dir(p.File) == dir {
				files = append(files, parse.Source{Name: p.File, Text: p.Text})
			}
		}
		return files, nil
	}}
}

func checkScript(t *testing.T, u check.Universe, parts []rewritetest.Part, inputs []check.Input) {
	p, err := parse.Parse(source(parts), parse.Bounds{})
	var warnings []string
	if err == nil {
		_, err = check.Check(p, u, inputs)
		warnings = p.Warnings
	}
	rewritetest.Compare(t, parts, findings(t, err, warnings))
}

// checkCells compiles the cells one after the other; one that is refused is not declared.
func checkCells(t *testing.T, u check.Universe, parts []rewritetest.Part, inputs []check.Input) {
	s := rewrite.NewSession(u, parse.Bounds{})
	for len(parts) > 0 {
		n := 1
		for n < len(parts) && parts[n].File != "" {
			n++
		}
		cell := parts[:n]
		parts = parts[n:]
		p, err := s.Compile(source(cell), inputs)
		inputs = nil
		var warnings []string
		if err == nil {
			warnings = p.Warnings(true)
			s.Declare(p)
		}
		rewritetest.Compare(t, cell, findings(t, err, warnings))
	}
}

func findings(t *testing.T, err error, warnings []string) (found []rewritetest.Finding) {
	t.Helper()
	var rs diag.Rejections
	if err != nil && !errors.As(err, &rs) {
		t.Fatalf("an error of another type: %v", err)
	}
	for _, r := range rs {
		file := r.Pos.Name
		if file == (parse.Source{}).FileName() {
			file = ""
		}
		found = append(found, rewritetest.Finding{File: file, Line: r.Pos.Line, Code: r.Code.String(), Message: r.Message, Hint: r.Hint})
	}
	for _, w := range warnings {
		found = append(found, warning(w))
	}
	return found
}

// warning takes "script.go:3:1: text" apart.
func warning(text string) rewritetest.Finding {
	place, message, _ := strings.Cut(text, ": ")
	parts := strings.Split(place, ":")
	f := rewritetest.Finding{Code: "Warning", Message: message}
	if len(parts) == 3 {
		f.Line, _ = strconv.Atoi(parts[1])
	}
	return f
}
