package sandtrap

import (
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins"
)

// table makes the allow tables of p.
func (p *Policy) table() (*builtins.Table, error) {
	packages, err := p.standard()
	if err != nil {
		return nil, err
	}
	packages = slices.DeleteFunc(packages, p.replaces)
	for _, own := range p.Packages {
		pkg, err := builtins.Host(own.Path, own.Name, own.Members)
		if err == nil {
			pkg, err = pkg.Select(builtins.Filter{Include: own.Include, Exclude: own.Exclude, Keep: own.Keep})
		}
		if err != nil {
			return nil, policyError("Packages", "%v", err)
		}
		packages = append(packages, pkg)
	}
	if len(p.Funcs) > 0 {
		pkg, err := builtins.Predeclare(p.Funcs)
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

// standard lists the packages of Std without what Exclude takes away.
func (p *Policy) standard() ([]builtins.Package, error) {
	if len(p.Std) == 0 { // builtins.Std without patterns is all
		return nil, p.excludeNothing()
	}
	for _, pattern := range p.Std {
		if len(builtins.Std(pattern)) == 0 {
			return nil, policyError("Std", "no package of the standard library that scripts can use matches %q", pattern)
		}
	}
	used := map[string]bool{}
	var kept []builtins.Package
	for _, pkg := range builtins.Std(p.Std...) {
		members, whole := p.excluded(pkg.Path, used)
		if whole {
			continue
		}
		pkg, err := pkg.Select(builtins.Filter{Exclude: members})
		if err != nil {
			return nil, policyError("Exclude", "%v", err)
		}
		kept = append(kept, p.without(pkg))
	}
	for _, pattern := range p.Exclude {
		if !used[pattern] {
			return nil, policyError("Exclude", "%q matches nothing of what Std lists", pattern)
		}
	}
	return kept, nil
}

// without takes away what this policy has nothing for.
func (p *Policy) without(pkg builtins.Package) builtins.Package {
	if p.Files == nil {
		pkg = pkg.Without("files", "this policy gives scripts no files")
	}
	if p.Env == nil {
		pkg = pkg.Without("environment", "this policy gives scripts no environment")
	}
	return pkg
}

func (p *Policy) excludeNothing() error {
	if len(p.Exclude) > 0 {
		return policyError("Exclude", "%q matches nothing: Std is empty", p.Exclude[0])
	}
	return nil
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
