package sandtrap

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
)

// A callee is a function of the host that scripts in workers call by its name.
type callee struct {
	fn       any
	blocking bool
	grants   string
}

// sendMembers puts what workers have to know of the host's own members into plan, and
// keeps the functions for their calls.
func (p *Plan) sendMembers(plan *jobs.Plan) error {
	q := &p.policy
	p.calls, p.types = map[string]callee{}, p.newTypes()
	defer p.types.Seal()
	for i := range q.Packages {
		own := &q.Packages[i]
		excluded, whole := q.excluded(own.Path, map[string]bool{})
		if whole {
			continue
		}
		sent, err := p.sentPackage(own, excluded)
		if err != nil {
			return policyError("Packages", "%s.%v", own.Path, err)
		}
		plan.Packages = append(plan.Packages, sent)
	}
	if len(q.Funcs) > 0 {
		pkg, err := builtins.Predeclare(registered(q.Funcs, false, false))
		if err == nil {
			plan.Funcs, err = p.sentMembers(pkg, "", q.Funcs, Member{})
		}
		if err != nil {
			return policyError("Funcs", "%v", err)
		}
	}
	for _, wrap := range q.Wrappers {
		n, err := p.types.Wrap(wrap)
		if err != nil {
			return policyError("Wrappers", "%v", err)
		}
		plan.Wraps = append(plan.Wraps, n)
	}
	plan.Types = p.sentTypes()
	return nil
}

// sentPackage is what of a package workers have to know: what of it is not excluded.
func (p *Plan) sentPackage(own *Package, excluded []string) (jobs.Package, error) {
	pkg, err := own.table(excluded)
	if err != nil {
		return jobs.Package{}, err
	}
	values, err := own.values()
	if err != nil {
		return jobs.Package{}, err
	}
	members, err := p.sentMembers(pkg, own.Path+".", values, Member{Network: own.Network, HostFiles: own.HostFiles})
	sent := jobs.Package{Path: pkg.Path, Name: pkg.Name, Members: members}
	for i := range pkg.Members {
		if row := &pkg.Members[i]; row.Deny && !row.IsType() {
			sent.Denied = append(sent.Denied, row.Name)
		}
	}
	return sent, err
}

// sentMembers are those of the rows of pkg that scripts may use; all have the grants of
// every one.
func (p *Plan) sentMembers(pkg builtins.Package, prefix string, values map[string]any, every Member) (list []jobs.Member, err error) {
	for i := range pkg.Members {
		row := &pkg.Members[i]
		if row.Deny || strings.Contains(row.Name, ".") { // what is special about a method goes with it
			continue
		}
		if row.IsType() {
			sent, err := p.sentType(prefix, row)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", row.Name, err)
			}
			list = append(list, sent)
			continue
		}
		m, special := values[row.Name].(Member)
		if !special {
			m.Value = values[row.Name]
		}
		if m.Blocking {
			m.Value = blocking(m.Value)
		}
		sent, err := p.sentMember(prefix, row, m.Value, grants(m.Network || every.Network, m.HostFiles || every.HostFiles))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row.Name, err)
		}
		list = append(list, sent)
	}
	return list, nil
}

func (p *Plan) sentMember(prefix string, row *builtins.Member, value any, grants string) (m jobs.Member, err error) {
	name := row.Name
	m.Name = name
	switch v := value.(type) {
	case builtins.Literal:
		m.Literal = string(v)
		return m, nil
	case builtins.Variable:
		return p.sentVariable(prefix, name, v.Pointer, grants)
	case builtins.Function:
		if v.Context {
			return m, fmt.Errorf("%s", staysHere("a function that takes contexts of scripts"))
		}
	}
	fn, blocking := bareFunction(value)
	if _, isError := row.Value.(*error); carry.HasStruct(fn) && !isError && !p.table.IsSentinel(row) {
		return p.sentVariable(prefix, name, carry.Holder(fn), grants)
	}
	if t, ok := carry.Func(fn); ok {
		m.Blocking = blocking
		p.calls[prefix+name] = callee{fn, blocking, grants}
		m.Type, err = p.types.EncodeFunc(t)
		return m, err
	}
	m.Value, err = p.types.EncodeConstant(&p.errors, value)
	return m, err
}

// sentVariable is what workers have to know of a variable: they ask for it at each use.
func (p *Plan) sentVariable(prefix, name string, pointer any, grants string) (m jobs.Member, err error) {
	fn, typ := carry.Reader(pointer)
	p.calls[prefix+name] = callee{fn: fn, grants: grants}
	m = jobs.Member{Name: name, Reads: true}
	m.Type, err = p.types.EncodeFunc(typ)
	return m, err
}

// staysHere says that something cannot be had from a worker.
func staysHere(what string) string {
	return what + " cannot be copied to the worker: isolation process and kernel take functions and data"
}

// excludedStd are the patterns of Exclude that are about the standard library: of the
// host's own packages workers know only what is left.
func (p *Policy) excludedStd() []string {
	used := map[string]bool{}
	if _, err := p.standard(used); err != nil {
		return nil // it was looked at before
	}
	return slices.DeleteFunc(slices.Clone(p.Exclude), func(pattern string) bool { return !used[pattern] })
}

// newTypes are the types that workers are told of, as the policy shows them.
func (p *Plan) newTypes() *carry.Types {
	return carry.NewTypes(p.table.View, func(v builtins.View, n int) (carry.Shown, error) {
		switch {
		case v.Listed && !v.Own:
			return carry.Shown{}, errors.New("cannot be copied to the worker: scripts have one of their own there")
		case !v.Listed:
			v.Name = fmt.Sprintf("%d/%s", n, v.Name)
		}
		return carry.Shown{Name: v.Name, Own: v.Own, Fields: v.Fields, Denied: v.Denied, Given: v.Handle || !v.Listed, Opaque: !v.Listed}, nil
	})
}

// sentType is what workers have to know of a type of the host's: what scripts see.
func (p *Plan) sentType(prefix string, row *builtins.Member) (m jobs.Member, err error) {
	if p.policy.Engine == "yaegi" {
		return m, errors.New(staysHere("with engine yaegi a type of the host"))
	}
	n, err := p.types.Number(row.Value)
	if err != nil {
		return m, err
	}
	view := p.table.View(p.types.Type(n))
	m = jobs.Member{Name: row.Name, Struct: &jobs.Struct{Type: n, Denied: view.Denied, Opaque: view.Handle}}
	for _, method := range view.Methods {
		fn := p.types.Method(method.Fn)
		t, _ := carry.Func(fn)
		typ, err := p.types.EncodeFunc(t)
		if err != nil {
			return m, fmt.Errorf("%s: %w", method.Name, err)
		}
		p.calls[prefix+row.Name+"."+method.Name] = callee{fn: fn, grants: method.Grants}
		m.Struct.Methods = append(m.Struct.Methods, jobs.Member{Name: method.Name, Type: typ})
	}
	return m, nil
}

// sentTypes are all types that the members mention.
func (p *Plan) sentTypes() (list []jobs.Type) {
	for n := range p.types.Len() {
		text := p.types.Text(n)
		t := jobs.Type{Name: text.Name, Shape: text.Shape, Hides: text.Hides, Given: text.Given}
		for _, f := range text.Fields {
			t.Fields = append(t.Fields, jobs.Field{Name: f.Name, Type: f.Type, Tag: f.Tag, Embedded: f.Embedded})
		}
		for _, k := range text.Recursive {
			t.Recursive = append(t.Recursive, jobs.RecursiveType{Number: k.Number, Type: k.Type})
		}
		list = append(list, t)
	}
	return list
}
