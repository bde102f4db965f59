package policyfile

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

// A Guard is the guard of a file. Its errors have the lines that they are about.
type Guard struct {
	guard.Policy

	Known  []decide.Member // those that it was compiled for last
	Failed error           // why that failed; nil if it did not

	file *File
}

// GuardOf is the guard of f, which may be that of a policy without the key guard.
func (f *File) GuardOf(p guard.Policy) *Guard { return &Guard{Policy: p, file: f} }

// Compile makes the gate of a plan.
func (g *Guard) Compile(members []decide.Member) (decide.Gate, error) {
	gate, err := g.Policy.Compile(members)
	g.Known, g.Failed = members, nil
	if err == nil {
		return gate, nil
	}
	var list []error
	for text := range strings.Lines(err.Error()) {
		list = append(list, errors.New(g.file.place(strings.TrimSuffix(text, "\n"), !slices.ContainsFunc(members, isFunction))))
	}
	g.Failed = errors.Join(list...)
	return nil, g.Failed
}

// isFunction is for members that are no operation on files.
func isFunction(m decide.Member) bool { return !strings.HasPrefix(m.Name, "file.") }

// fieldKeys are the keys of fields of guard.Policy whose values it refuses.
var fieldKeys = map[string]string{
	"Packages": "packages", "Hidden": "hidden", "Deny": "deny", "Ask": "ask", "Rates": "rates", "Grants": "grants",
	"Default": "default", "AskTimeout": "ask_timeout",
}

// place puts the line that an error of a guard.Policy is about before it.
func (f *File) place(text string, noFunctions bool) string {
	text = strings.TrimPrefix(text, "Rules: ")
	if noFunctions && !strings.Contains(text, "did you mean") {
		text += functionHint("", nil)
	}
	if after, ok := strings.CutPrefix(text, "rule "); ok {
		return f.line("guard.rules "+quoted(after)) + ": " + text
	}
	field, rest, _ := strings.Cut(text, ": ")
	name, ok := fieldKeys[field]
	if !ok {
		return f.line("members "+field) + ": " + text
	}
	key := "guard." + name
	if _, ok := f.places[key+" "+quoted(rest)]; ok {
		return f.line(key+" "+quoted(rest)) + ": " + key + ": " + rest
	}
	return f.line(key) + ": " + key + ": " + rest
}

// quoted is the Go string that text begins with.
func quoted(text string) string {
	prefix, err := strconv.QuotedPrefix(text)
	if err != nil {
		return ""
	}
	s, _ := strconv.Unquote(prefix)
	return s
}
