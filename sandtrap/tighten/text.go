package tighten

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// Text is the suggestion as a policy file. It has no keys for what a record does not tell: where files are, how scripts are
// isolated, and which bare expressions are shown.
func (s *Suggestion) Text() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# The smallest policy for %d recorded runs.\n", s.Runs)
	for _, note := range s.Notes {
		fmt.Fprintf(&b, "# Note: %s.\n", comment(note))
	}
	for _, member := range s.Members {
		fmt.Fprintf(&b, "# The scripts use %s of the host.\n", comment(member))
	}
	if len(s.Members) > 0 {
		b.WriteString("# Keep the section members of the policy that was recorded: a function that no run has called is refused only if it has a risk there.\n")
	}
	f := file{Std: s.Std, Limits: limits{
		Timeout: s.Timeout.String(), Ticks: s.Ticks, Memory: s.Memory, Output: s.Output, Artifacts: s.Artifacts,
	}}
	if !s.Files {
		f.FS = "none"
	}
	if s.Files || len(s.Rates) > 0 {
		f.Guard = s.guardText()
	}
	text, err := yaml.Marshal(f)
	b.Write(text)
	return b.String(), err
}

// comment is text that does not end a comment.
func comment(text string) string {
	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1]
}

// A file is a policy file, as far as a record has something for it.
type file struct {
	Std    []string `yaml:"std"`
	FS     string   `yaml:"fs,omitempty"`
	Limits limits   `yaml:"limits"`
	Guard  *lists   `yaml:"guard,omitempty"`
}

type limits struct {
	Timeout   string `yaml:"timeout"`
	Ticks     int64  `yaml:"ticks"`
	Memory    int64  `yaml:"memory"`
	Output    int64  `yaml:"output"`
	Artifacts int64  `yaml:"artifacts"`
}

type lists struct {
	Default     string         `yaml:"default"`
	Permissions []string       `yaml:"permissions,omitempty"`
	MaxClass    string         `yaml:"max_class,omitempty"`
	Ask         []string       `yaml:"ask,omitempty"`
	Grants      []grant        `yaml:"grants,omitempty"`
	Deny        []string       `yaml:"deny,omitempty"`
	Rates       map[string]int `yaml:"rates,omitempty"`
	Budget      int64          `yaml:"budget,omitempty"`
	Rules       []rules.Rule   `yaml:"rules,omitempty"`
}

type grant struct {
	Members []string `yaml:"members"`
	Reason  string   `yaml:"reason"`
}

func (s *Suggestion) guardText() *lists {
	g := &lists{Default: "deny", Permissions: s.Permissions, Ask: s.Asked, Rates: maps.Clone(s.Rates), Budget: s.Budget}
	if s.MaxClass != decide.NoClass {
		g.MaxClass = s.MaxClass.String()
	}
	if len(s.Grants) > 0 {
		g.Grants = []grant{{Members: slices.Clone(s.Grants), Reason: grantReason}}
	}
	if s.Files {
		g.Deny, g.Rules = s.deny(), s.rules()
	}
	return g
}
