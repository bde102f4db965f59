package sandtrap

import (
	"errors"
	"fmt"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
)

// newTypes are the types that workers are told of, as the policy shows them.
func (p *Plan) newTypes() *carry.Types {
	return carry.NewTypes(p.table.View, func(v builtins.View, n int) (carry.Shown, error) {
		switch {
		case v.Listed && !v.Own:
			return carry.Shown{}, errors.New("cannot be copied to the worker: scripts have one of their own there")
		case !v.Listed:
			v.Name = fmt.Sprintf("%d/%s", n, v.Name)
		}
		return carry.Shown{Name: v.Name, Own: v.Own, Fields: v.Fields, Denied: v.Denied, Given: v.Handle || !v.Listed}, nil
	})
}

// sentType is what workers have to know of a type of the host's: what scripts see.
func (p *Plan) sentType(prefix string, row *builtins.Member) (m wire.Member, err error) {
	if p.policy.Engine == "yaegi" {
		return m, errors.New(staysHere("with engine yaegi a type of the host"))
	}
	n, err := p.types.Number(row.Value)
	if err != nil {
		return m, err
	}
	view := p.table.View(p.types.Type(n))
	m = wire.Member{Name: row.Name, Struct: &wire.Struct{Type: n, Denied: view.Denied, Opaque: view.Handle}}
	for _, method := range view.Methods {
		fn := p.types.Method(method.Fn)
		t, _ := carry.Func(fn)
		typ, err := p.types.EncodeFunc(t)
		if err != nil {
			return m, fmt.Errorf("%s: %w", method.Name, err)
		}
		p.calls[prefix+row.Name+"."+method.Name] = callee{fn: fn, grants: method.Grants}
		m.Struct.Methods = append(m.Struct.Methods, wire.Member{Name: method.Name, Type: typ})
	}
	return m, nil
}

// sentTypes are all types that the members mention.
func (p *Plan) sentTypes() (list []wire.Type) {
	for n := range p.types.Len() {
		text := p.types.Text(n)
		t := wire.Type{Name: text.Name, Shape: text.Shape, Hides: text.Hides, Given: text.Given}
		for _, f := range text.Fields {
			t.Fields = append(t.Fields, wire.Field{Name: f.Name, Type: f.Type, Tag: f.Tag, Embedded: f.Embedded})
		}
		for _, k := range text.Knots {
			t.Knots = append(t.Knots, wire.Knot{Number: k.Number, Type: k.Type})
		}
		list = append(list, t)
	}
	return list
}
