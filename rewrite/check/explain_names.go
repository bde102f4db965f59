package check

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sandtrap-go/sandtrap/internal/nearest"
)

// namesAt are the names that a script could mean at pos.
func (c *checker) namesAt(pos token.Pos) []string {
	var names []string
	scope := c.result.Pkg.Scope().Innermost(pos)
	if scope == nil {
		scope = c.result.Pkg.Scope()
	}
	for s := scope; s != nil; s = s.Parent() {
		for _, n := range s.Names() {
			if _, obj := scope.LookupParent(n, pos); obj != nil {
				names = append(names, n)
			}
		}
	}
	return names
}

// outOfBlock is about the name of a variable that another block declares; "" if none does.
func (c *checker) outOfBlock(name string) string {
	line := 0
	for id, obj := range c.result.Info.Defs {
		if v, ok := obj.(*types.Var); ok && id.Name == name && v.Kind() == types.LocalVar {
			if at := c.position(id.Pos()).Line; line == 0 || at < line {
				line = at
			}
		}
	}
	if line == 0 {
		return ""
	}
	return "the " + name + " of line " + strconv.Itoa(line) + " is known in its block only: declare it before that with var, and set it there with ="
}

// namesVariable reports that the name stands for a variable at pos.
func (c *checker) namesVariable(name string, pos token.Pos) bool {
	scope := c.result.Pkg.Scope().Innermost(pos)
	if scope == nil {
		scope = c.result.Pkg.Scope()
	}
	_, obj := scope.LookupParent(name, pos)
	_, ok := obj.(*types.Var)
	return ok
}

// Members are the names of the fields and methods of t and what it points to,
// promoted ones included.
func Members(t types.Type) []string {
	var names []string
	if named := namedOf(t); named != nil {
		for m := range named.Methods() {
			names = append(names, m.Name())
		}
		t = named
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		for m := range u.Methods() {
			names = append(names, m.Name())
		}
	case *types.Struct:
		for f := range u.Fields() {
			names = append(names, f.Name())
		}
	}
	return names
}

// nearestName is the candidate that name is most likely a misspelling of, or "".
// Case counts for little: strings.toUpper means strings.ToUpper.
func nearestName(name string, candidates []string) string {
	const longest = 64
	if len(name) > longest || len(name) < 2 {
		return ""
	}
	best, least := "", 1+max(1, len(name)/3)
	for _, c := range candidates {
		if c == name || c == "_" || len(c) > longest || len(c) < 2 {
			continue
		}
		if d := nearest.Distance(strings.ToLower(name), strings.ToLower(c), least); d < least {
			best, least = c, d
		}
	}
	if best == "" && len(name) > 3 {
		best = containing(name, candidates)
	}
	return best
}

// nearestMember is nearestName for a member of a package or type, or else the candidate that has the most words of the name:
// UpperCase is ToUpper.
func nearestMember(name string, candidates []string) string {
	if near := nearestName(name, candidates); near != "" {
		return near
	}
	best, most := "", 0
	words := wordsOf(name)
	for _, c := range candidates {
		score := -1
		for _, w := range wordsOf(c) {
			if score--; len(w) >= 4 && slices.Contains(words, w) {
				score += 10
			}
		}
		if score > most {
			best, most = c, score
		}
	}
	return best
}

// wordsOf are the words of a name, in small letters: each begins with a capital, or after an underscore.
func wordsOf(name string) []string {
	var words []string
	start := 0
	for i, r := range name {
		if i > start && (unicode.IsUpper(r) || r == '_') {
			words = append(words, strings.ToLower(strings.Trim(name[start:i], "_")))
			start = i
		}
	}
	return append(words, strings.ToLower(strings.Trim(name[start:], "_")))
}

// containing is the shortest candidate that name is a part of: Upper of ToUpper.
func containing(name string, candidates []string) string {
	best := ""
	for _, c := range candidates {
		if strings.Contains(strings.ToLower(c), strings.ToLower(name)) && (best == "" || len(c) < len(best)) {
			best = c
		}
	}
	return best
}
