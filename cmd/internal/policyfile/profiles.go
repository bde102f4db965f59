package policyfile

import (
	"embed"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

//go:embed profiles/*.yaml
var profiles embed.FS

// profile is the text of a profile.
func profile(name string) ([]byte, bool) {
	text, err := profiles.ReadFile("profiles/" + name + ".yaml")
	return text, err == nil
}

// Profiles are the names of the profiles, sorted.
func Profiles() (names []string) {
	entries, err := profiles.ReadDir("profiles")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// Names are those of profiles and presets. A profile that has the name of a preset is that preset with a guard.
func Names() []string {
	names := append(Profiles(), sandtrap.Presets()...)
	slices.Sort(names)
	return slices.Compact(names)
}

// About is the first paragraph of the comment of a profile, on one line.
func About(name string) string {
	text, _ := profile(name)
	return AboutText(string(text))
}

// AboutText is the first paragraph of the comment at the beginning of a policy file, on one line.
func AboutText(text string) string {
	var about []string
	for line := range strings.Lines(text) {
		line, ok := strings.CutPrefix(strings.TrimSpace(line), "# ")
		if !ok {
			break
		}
		about = append(about, line)
	}
	return strings.Join(about, " ")
}

// GuardText is the key guard of a profile, with its comments; empty if there is none.
func GuardText(name string) string {
	text, _ := profile(name)
	_, guard, found := strings.Cut(string(text), "\nguard:\n")
	if !found {
		return ""
	}
	return "guard:\n" + guard
}
