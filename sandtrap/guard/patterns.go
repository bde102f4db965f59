package guard

import (
	"fmt"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/nearest"
)

// fits reports that a pattern is the name, or a beginning of it before a *.
func fits(pattern, name string) bool {
	begin, any := strings.CutSuffix(pattern, "*")
	return pattern == name || any && strings.HasPrefix(name, begin)
}

// fitting is the first of the patterns that the name fits, if one does.
func fitting(patterns []string, name string) (string, bool) {
	for _, p := range patterns {
		if fits(p, name) {
			return p, true
		}
	}
	return "", false
}

// unfit is the error for a pattern of a field that fits none of the names.
func unfit(field, pattern string, names []string) error {
	if pattern == "*" { // all members, of a policy that may have none
		return nil
	}
	for _, name := range names {
		if fits(pattern, name) {
			return nil
		}
	}
	if near := nearest.Name(strings.TrimSuffix(pattern, "*"), names); near != "" {
		return fmt.Errorf("%s: %q fits nothing; did you mean %q?", field, pattern, near)
	}
	return fmt.Errorf("%s: %q fits nothing", field, pattern)
}
