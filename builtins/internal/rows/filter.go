package rows

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// A Filter chooses among the members of a package, and among the methods and
// fields of its types. The zero Filter keeps all.
//
// A pattern with a dot ("DB.Exec", "DB.*", "*.Close") is about methods and fields
// of a type; one without ("Get*") is about members of the package and, in Exclude,
// also about methods and fields of every type. Asterisks and brackets are those of
// path.Match.
type Filter struct {
	Include []string               // if there are any for its kind of name, a name needs one that matches
	Exclude []string               // no name may match one
	Keep    func(name string) bool // asked last, with the bare name; nil keeps
}

const Excluded = "excluded by this policy"

// Select returns p with only what the filter keeps; the rest is denied. A pattern
// that matches nothing is an error, because it is most likely misspelt.
func (p Package) Select(f Filter) (Package, error) {
	used := map[string]bool{}
	var denied []string
	rows := make([]Member, 0, len(p.Members))
	for _, row := range p.Members {
		owner, member, dotted := strings.Cut(row.Name, ".")
		switch {
		case row.Deny:
		case dotted:
			row.Deny = !f.keepsMember(owner, member, used)
		case !f.keeps(row.Name, used):
			row.Deny = true
		case row.Typ() != nil:
			row.With, denied = f.filterType(row, denied, used)
		}
		if row.Deny && row.Why == "" || row.Deny && row.Value != nil {
			row.Value, row.Why = nil, Excluded
		}
		rows = append(rows, row)
	}
	for _, name := range genericNames(p.Source) {
		if !f.keeps(name, used) {
			denied = append(denied, name)
		}
	}
	for _, pattern := range slices.Concat(f.Include, f.Exclude) {
		if _, err := path.Match(pattern, ""); err != nil {
			return p, fmt.Errorf("pattern %q: %w", pattern, err)
		}
		if !used[pattern] {
			return p, fmt.Errorf("pattern %q matches nothing in package %s", pattern, p.Path)
		}
	}
	p.Members = rows
	if len(denied) > 0 {
		p.Denied = append(slices.Clone(p.Denied), Denial{Names: strings.Join(denied, " "), Why: Excluded})
	}
	return p, nil
}

// filterType returns the members of a type that are kept, and adds those that
// are not, also of the types it embeds, to denied.
func (f Filter) filterType(row Member, denied []string, used map[string]bool) (string, []string) {
	names := strings.Fields(row.With)
	if row.With == "*" || row.Typ().Kind() == reflect.Interface {
		names = MemberNames(row.Typ())
	}
	var kept []string
	for _, name := range names {
		if f.keepsMember(row.Name, name, used) {
			kept = append(kept, name)
		} else {
			denied = append(denied, row.Name+"."+name)
		}
	}
	for _, base := range shim.Embedded(row.Typ(), nil) {
		for _, name := range MemberNames(base) {
			if matches(f.Exclude, base.Name()+"."+name, used) {
				denied = append(denied, base.Name()+"."+name)
			}
		}
	}
	if row.With == "*" { // still all but what is denied, here or by a type that is embedded
		return row.With, denied
	}
	return strings.Join(kept, " "), denied
}

func (f Filter) keeps(name string, used map[string]bool) bool {
	plain, dotted := splitDotted(f.Include)
	wanted := len(f.Include) == 0 || matches(plain, name, used) || ownerOf(dotted, name)
	return wanted && !matches(f.Exclude, name, used) && (f.Keep == nil || f.Keep(name))
}

func (f Filter) keepsMember(owner, name string, used map[string]bool) bool {
	_, dotted := splitDotted(f.Include)
	wanted := !ownerOf(dotted, owner) || matches(dotted, owner+"."+name, used)
	out := matches(f.Exclude, owner+"."+name, used)
	out = matches(f.Exclude, name, used) || out
	return wanted && !out && (f.Keep == nil || f.Keep(name))
}

// matches says whether a pattern matches name, and marks all that do.
func matches(patterns []string, name string, used map[string]bool) bool {
	found := false
	for _, pattern := range patterns {
		if strings.Contains(pattern, ".") != strings.Contains(name, ".") {
			continue
		}
		if ok, _ := path.Match(pattern, name); ok {
			used[pattern], found = true, true
		}
	}
	return found
}

func splitDotted(patterns []string) (plain, dotted []string) {
	for _, pattern := range patterns {
		if strings.Contains(pattern, ".") {
			dotted = append(dotted, pattern)
		} else {
			plain = append(plain, pattern)
		}
	}
	return plain, dotted
}

// ownerOf says whether a pattern is about members of the type called name.
func ownerOf(dotted []string, name string) bool {
	for _, pattern := range dotted {
		owner, _, _ := strings.Cut(pattern, ".")
		if ok, _ := path.Match(owner, name); ok {
			return true
		}
	}
	return false
}

// MemberNames lists the exported methods and fields of a type.
func MemberNames(rt reflect.Type) []string {
	methods := rt
	if rt.Kind() != reflect.Interface {
		methods = reflect.PointerTo(rt)
	}
	var names []string
	for i := range methods.NumMethod() {
		if m := methods.Method(i); m.IsExported() {
			names = append(names, m.Name)
		}
	}
	if rt.Kind() == reflect.Struct {
		for i := range rt.NumField() {
			if f := rt.Field(i); f.IsExported() {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// genericNames lists the functions that a Source declares.
func genericNames(source string) []string {
	var names []string
	for line := range strings.Lines(source) {
		if rest, ok := strings.CutPrefix(line, "func "); ok {
			name, _, _ := strings.Cut(rest, "[")
			names = append(names, name)
		}
	}
	return names
}
