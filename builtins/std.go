package builtins

import (
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/std"
)

// Std returns the curated packages whose path matches one of the patterns, all
// if there are none. A pattern is a path, or a path followed by "/..." for the
// packages at and below it: "net" does not stand for net/http.
func Std(patterns ...string) []Package {
	list := make([]Package, 0, len(std.All))
	for _, p := range std.All {
		if len(patterns) == 0 || matchesAny(patterns, p.Path) {
			list = append(list, *p)
			list[len(list)-1].Origin = p
		}
	}
	return list
}

// InStd reports whether the pattern matches one of the curated packages.
func InStd(pattern string) bool {
	return slices.ContainsFunc(std.All[:], func(p *Package) bool { return MatchPath(pattern, p.Path) })
}

func matchesAny(patterns []string, path string) bool {
	for _, pattern := range patterns {
		if MatchPath(pattern, path) {
			return true
		}
	}
	return false
}

// MatchPath reports whether an import path matches a pattern in the form of Std.
func MatchPath(pattern, path string) bool {
	if pattern == "..." {
		return true
	}
	prefix, below := strings.CutSuffix(pattern, "/...")
	return path == prefix || below && strings.HasPrefix(path, prefix+"/")
}

// stdPackage returns the curated package at path, nil if there is none.
func stdPackage(path string) *Package {
	for _, p := range std.All {
		if p.Path == path {
			return p
		}
	}
	return nil
}
