package builtins

import "slices"

// likelier lists, for package names that several packages share, which of them
// is meant when nothing more is known. The ones not listed come after, by path.
var likelier = [...]string{
	"math/rand", "math/rand/v2", "text/template", "text/scanner", "encoding/json", "go/scanner", "sync", "os", "context",
}

// sortByPreference puts the likeliest package of one name first. The paths are
// sorted.
func sortByPreference(paths []string) []string {
	var first []string
	for _, path := range likelier {
		for _, have := range paths {
			if have == path {
				first = append(first, path)
			}
		}
	}
	if len(first) == 0 {
		return paths
	}
	for _, path := range paths {
		if !slices.Contains(first, path) {
			first = append(first, path)
		}
	}
	return first
}
