package sandtrap

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/declare"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/guarded"
)

// Packages lists what scripts may import under the plan, sorted.
func (p *Plan) Packages() []string { return slices.Clone(p.table.Paths()) }

// Declarations renders what scripts may use of a package as Go source: its declarations
// without bodies, with the comments of Package.Docs or, where that has none, of docs,
// which may be nil. It is meant for people and for a model's prompt. The path "" stands
// for names that need no import. It omits what the policy hides.
func (p *Plan) Declarations(path string, docs map[string]string) (string, error) {
	of := declare.Of{Table: p.table, Predeclared: p.universe.Predeclared(), Offered: StdDefault(), Path: path, Own: p.docs(path), Docs: docs}
	prefix := ""
	if path != "" {
		prefix = path + "."
		pkg, err := p.table.Import(path)
		if err != nil {
			return "", fmt.Errorf("%s: %w", path, ErrImport)
		}
		of.Package = pkg
	}
	if p.gate != nil {
		of.Hidden = func(name string) bool { return guarded.Hides(p.gate, prefix+name) }
	}
	return declare.Source(of)
}

// Reference renders what the policy adds to Go, for a model's prompt: the names that need no
// import and the host's own packages in the form of Declarations, each with its import path,
// and the paths of the standard packages that can be imported.
func (p *Plan) Reference() (string, error) {
	var b strings.Builder
	if len(p.universe.Predeclared()) > 0 {
		text, err := p.Declarations("", nil)
		if err != nil {
			return "", err
		}
		b.WriteString("// There without import:\n\n" + text + "\n")
	}
	var std []string
	for _, path := range p.Packages() {
		if p.table.Standard(path) {
			std = append(std, path)
			continue
		}
		text, err := p.Declarations(path, nil)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "// import %q\n\n%s\n", path, text)
	}
	if len(std) > 0 {
		b.WriteString("// Of the standard library there are, not always with all of their members: " + strings.Join(std, ", ") + "\n")
	}
	return b.String(), nil
}

// docs are the comments that the host gives the members of a package.
func (p *Plan) docs(path string) map[string]string {
	members, docs := p.policy.Funcs, p.policy.Docs
	if path != "" {
		members, docs = nil, nil
	}
	for _, own := range p.policy.Packages {
		if own.Path == path {
			members, docs = own.Members, own.Docs
		}
	}
	all := map[string]string{}
	for name, value := range members {
		if m, ok := value.(Member); ok && m.Doc != "" {
			all[name] = m.Doc
		}
	}
	maps.Copy(all, docs)
	return all
}
