package sandtrap

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/internal/nearest"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/network"
)

// table makes the allow tables of p.
func (p *Policy) table() (*builtins.Table, error) {
	used := map[string]bool{} // patterns of Exclude
	packages, err := p.standard(used)
	if err != nil {
		return nil, err
	}
	packages = slices.DeleteFunc(packages, p.replaces)
	for _, own := range p.Packages {
		members, whole := p.excluded(own.Path, used)
		if whole {
			continue
		}
		pkg, err := own.table(members)
		if err != nil {
			return nil, policyError("Packages", "%v", err)
		}
		packages = append(packages, pkg)
	}
	for _, pattern := range p.Exclude {
		if !used[pattern] {
			return nil, policyError("Exclude", "%q matches nothing of what Std and Packages list", pattern)
		}
	}
	if err := p.names(); err != nil {
		return nil, err
	}
	if len(p.Funcs) > 0 {
		pkg, err := builtins.Predeclare(registered(p.Funcs, false, false))
		if err != nil {
			return nil, policyError("Funcs", "%v", err)
		}
		packages = append(packages, pkg)
	}
	table, err := builtins.NewTable(packages...)
	if err != nil {
		return nil, policyError("Packages", "%v", err)
	}
	return table, nil
}

// table makes the table of a package of the host's, without what is excluded.
func (p *Package) table(excluded []string) (builtins.Package, error) {
	members, err := p.members()
	if err == nil && len(members) == 0 {
		err = fmt.Errorf("%s: it has neither Members nor an Object", p.Path)
	}
	if err == nil {
		err = p.comments(members)
	}
	if err != nil {
		return builtins.Package{}, err
	}
	pkg, err := builtins.Host(p.Path, p.Name, members)
	if err != nil {
		return pkg, err
	}
	return pkg.Select(builtins.Filter{Include: p.Include, Exclude: slices.Concat(p.Exclude, excluded), Keep: p.Keep})
}

// names looks at the names in Funcs and Docs.
func (p *Policy) names() error {
	for name := range p.Funcs {
		if parse.Reserved(name) {
			return policyError("Funcs", "%q is a name of the sandbox's own", name)
		}
	}
	for name := range p.Docs {
		owner, _, _ := strings.Cut(name, ".") // of a field
		if _, ok := p.Funcs[owner]; !ok {
			return policyError("Docs", "a comment on %q: %s", name, notIn(owner, sortedNames(p.Funcs)))
		}
	}
	return nil
}

// notIn says that a name of Docs is no member, and what to do about it.
func notIn(name string, members []string) string {
	text := name + " is not among the members"
	if near := nearest.Name(name, members); near != "" {
		return text + "; did you mean " + strconv.Quote(near) + "?"
	}
	return fmt.Sprintf("%s; comments on fields need their type as a member: %q: (*%s)(nil)", text, name, name)
}

// comments looks at the names in Docs.
func (p *Package) comments(members map[string]any) error {
	for name := range p.Docs {
		member, _, _ := strings.Cut(name, ".")
		if _, ok := members[member]; !ok {
			return fmt.Errorf("%s: Docs: a comment on %q: %s", p.Path, name, notIn(member, sortedNames(members)))
		}
	}
	return nil
}

// standard lists the packages of Std without what Exclude takes away; it marks the patterns that it used.
func (p *Policy) standard(used map[string]bool) ([]builtins.Package, error) {
	paths := slices.Concat(p.Std, network.PackagesOf(p.Network))
	if len(paths) == 0 { // builtins.Std without patterns is all
		return nil, nil
	}
	for _, pattern := range p.Std {
		if !builtins.InStd(pattern) {
			return nil, policyError("Std", "no package of the standard library that scripts can use matches %q%s", pattern, nearestStd(pattern))
		}
	}
	list := append(builtins.Std(paths...), network.SecretsPackage(p.Network)...)
	kept := list[:0]
	for _, pkg := range list {
		members, whole := p.excluded(pkg.Path, used)
		if whole || p.Engine == "yaegi" && slices.Contains(network.Packages, pkg.Path) {
			continue
		}
		if len(members) > 0 {
			var err error
			if pkg, err = pkg.Select(builtins.Filter{Exclude: members}); err != nil {
				return nil, policyError("Exclude", "%v", err)
			}
		}
		kept = append(kept, p.without(pkg))
	}
	return kept, nil
}

// nearestStd asks for the package that is meant by a path that is none.
func nearestStd(path string) string {
	var paths []string
	for _, pkg := range builtins.Std() {
		paths = append(paths, pkg.Path)
	}
	if near := nearest.Name(path, paths); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// without takes away what this policy has nothing for.
func (p *Policy) without(pkg builtins.Package) builtins.Package {
	if p.Files == nil {
		pkg = pkg.Without("files", "this policy gives scripts no files")
	}
	if p.Env == nil {
		pkg = pkg.Without("environment", "this policy gives scripts no environment")
	}
	if p.Network == nil {
		pkg = pkg.Without("network", "this policy gives scripts no network: it has no Network (--net in the command), which lists the requests that they may make")
	}
	return pkg
}

// excluded says what of the package at path is excluded: members by pattern, or
// the whole of it. It marks the patterns that it used.
func (p *Policy) excluded(path string, used map[string]bool) (members []string, whole bool) {
	for _, pattern := range p.Exclude {
		member, ok := strings.CutPrefix(pattern, path+".")
		switch {
		case builtins.MatchPath(pattern, path):
			used[pattern], whole = true, true
		case ok && !strings.HasPrefix(member, ".."):
			used[pattern] = true
			members = append(members, member)
		}
	}
	return members, whole
}

// replaces says whether a package of the host takes the place of std.
func (p *Policy) replaces(std builtins.Package) bool {
	return slices.ContainsFunc(p.Packages, func(own Package) bool { return own.Path == std.Path })
}

// A universe shows a table to the rewriter, which does not know package builtins.
type universe struct {
	*builtins.Table
	dispatches bool // the engine does what the table says also where no gate is written
}

var _ check.Universe = universe{}

// Replaced tells whether a call of a method that has no gate would be another one.
func (u universe) Replaced(owner *types.TypeName, method string) bool {
	return !u.dispatches && u.Table.Replaced(owner, method)
}

// Explain tells why a name is not there.
func (u universe) Explain(path, name string) check.Explanation {
	return check.Explanation(u.Table.Explain(path, name))
}
