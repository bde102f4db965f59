package sandtrap

import (
	"go/types"
	"maps"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/typename"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// A Plan is a compiled Policy. It serves any number of sandboxes at a time, and caches
// the programs that they ran last, so that running one again does not compile it.
type Plan struct {
	policy   Policy
	table    *builtins.Table
	universe universe
	bounds   parse.Bounds
	limits   gates.Limits
	engine   engine.Engine
	cache    cache
	given    []*vfs.Given // directories of the policy
	gate     decide.Gate  // nil if no call is to be decided
	guards   guards

	sent   *jobs.Plan        // to workers, nil if there are none
	calls  map[string]callee // that workers make, by their names
	types  *carry.Types      // that they have values of
	errors carry.Errors      // among the members
}

// Compile validates p and makes a Plan of it. The error matches ErrPolicy and
// names the field that is wrong.
func Compile(p Policy) (*Plan, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	p = p.withDefaults()
	p.Funcs = p.withTypes()
	gate, guards, err := p.guarded()
	if err != nil {
		return nil, err
	}
	if p.Funcs, err = p.withArtifact(); err != nil {
		return nil, err
	}
	e, err := p.engine()
	if err != nil {
		return nil, err
	}
	table, err := p.table()
	if err != nil {
		return nil, err
	}
	_, dispatches := e.(engine.Dispatcher)
	plan := &Plan{
		policy:   p,
		table:    table,
		universe: universe{table, dispatches},
		bounds:   parse.Bounds{Bytes: p.Limits.Source, Nesting: p.Limits.Nesting}.OrDefault(),
		limits:   p.Limits.gates(),
		engine:   e,
		gate:     gate,
		guards:   guards,
		errors:   carry.Errors{TypeName: table.TypeName},
	}
	if p.Files != nil {
		if plan.given, err = vfs.Give(p.Files.Paths, p.Files.Secrets); err != nil {
			return nil, policyError("Files.Paths", "%v", err)
		}
	}
	if p.Isolation != None {
		if plan.sent, err = plan.remote(); err != nil {
			return nil, err
		}
	}
	return plan, nil
}

// withDefaults is a copy of p, of its own, with the defaults written in.
func (p Policy) withDefaults() Policy {
	if p.Limits.Timeout == 0 {
		p.Limits.Timeout = defaultTimeout
	}
	if p.Limits.Memory == 0 {
		p.Limits.Memory = defaultMemory
	}
	if p.Isolation == "" {
		p.Isolation = None
	}
	if p.Isolation == Kernel && p.Level == "" {
		p.Level = isolate.Maximum
	}
	if p.Echo == "" {
		p.Echo = EchoNone
	}
	p.Std, p.Exclude = slices.Clone(p.Std), slices.Clone(p.Exclude)
	p.Env, p.Docs = maps.Clone(p.Env), maps.Clone(p.Docs)
	if p.Files != nil {
		files := *p.Files
		files.Paths = slices.Clone(files.Paths)
		p.Files = &files
	}
	p.Packages, p.Funcs, p.Wrappers = slices.Clone(p.Packages), maps.Clone(p.Funcs), slices.Clone(p.Wrappers)
	for i := range p.Packages {
		pkg := &p.Packages[i]
		pkg.Members, pkg.Docs = maps.Clone(pkg.Members), maps.Clone(pkg.Docs)
		pkg.Include, pkg.Exclude = slices.Clone(pkg.Include), slices.Clone(pkg.Exclude)
	}
	return p
}

// engine is the engine that p names.
func (p *Policy) engine() (engine.Engine, error) {
	switch p.Engine {
	case "yaegi":
		if len(p.Wrappers) > 0 {
			return nil, policyError("Wrappers", "engine yaegi has none: scripts cannot implement interfaces of the host's there; use engine vm")
		}
		if p.Network != nil {
			return nil, policyError("Network", "engine yaegi has none: it may call methods of package net/http itself; use engine vm")
		}
		if e := engine.Registered(p.Engine); e != nil {
			return e, nil
		}
		return nil, policyError("Engine", `engine yaegi is not linked into this program: import _ "github.com/sandtrap-go/sandtrap/sandtrap/yaegi"`)
	case "", "vm":
		e, err := vm.New(p.Wrappers)
		if err != nil {
			return nil, policyError("Wrappers", "%v", err)
		}
		return e, nil
	}
	return nil, policyError("Engine", "no engine %q; there are vm and yaegi", p.Engine)
}

// inputs declares the inputs of a run, by name.
func (p *Plan) inputs(values map[string]any) (list []check.Input) {
	for _, name := range sortedNames(values) {
		list = append(list, check.Input{Name: name, Type: p.table.InputType(values[name])})
	}
	return list
}

// sortedNames are the names of inputs in their order. Most runs have none, and pay nothing.
func sortedNames(values map[string]any) []string {
	if len(values) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(values))
}

// bindings lists the import section of prog.
func (p *Plan) bindings(prog *rewrite.Program) []Binding {
	list := []Binding{}
	for _, b := range prog.Bindings() {
		list = append(list, Binding{
			Kind: b.Kind.String(), Name: b.String(),
			Type: types.TypeString(b.Type, typename.Path), Pos: position(prog, b.Pos),
		})
	}
	return list
}
