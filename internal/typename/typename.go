// Package typename is about the names of types and of other objects of packages, as scripts write them. A package without
// a name is that of what needs no import, or that scripts cannot name: nothing is written for it.
//
// It may not import another package of this module.
package typename

import "go/types"

// Join is the name of a member of a package of which the name or the path is given; both may be empty.
func Join(pkg, name string) string {
	if pkg == "" {
		return name
	}
	return pkg + "." + name
}

// Of is the name of an object, with that of its package.
func Of(obj types.Object) string {
	if obj.Pkg() == nil {
		return obj.Name()
	}
	return Join(obj.Pkg().Name(), obj.Name())
}

// Path is the path of a package where paths stand in the place of names: "" if it has no name.
func Path(p *types.Package) string {
	if p.Name() == "" {
		return ""
	}
	return p.Path()
}
