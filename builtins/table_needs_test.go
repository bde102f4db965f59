package builtins

import (
	"slices"
	"testing"
)

// TestNeedyPackages: which packages of Std have to be looked through is written down rightly.
func TestNeedyPackages(t *testing.T) {
	for _, p := range Std() {
		needs := p.Needs()
		want := slices.Contains(needs, "files") || slices.Contains(needs, "environment")
		if p.NeedsRun != want {
			t.Errorf("%s needs %v; needy: %v", p.Path, needs, p.NeedsRun)
		}
	}
}

// TestWithoutLooksAtChanges: members that somebody adds to a package of Std are looked at.
func TestWithoutLooksAtChanges(t *testing.T) {
	for _, add := range []bool{true, false} {
		p := Std("strings")[0]
		p.Members = slices.Clone(p.Members)
		if add {
			p.Members = append(p.Members, Member{Name: "New", Value: func() {}})
		}
		last := len(p.Members) - 1
		p.Members[last].Needs, p.Members[last].Deny = "files", false
		if p = p.Without("files", "there are none"); !p.Members[last].Deny {
			t.Errorf("%s is still there", p.Members[last].Name)
		}
	}
}
