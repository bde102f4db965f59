package sandtrap

import (
	"go/types"
	"maps"
	"slices"
)

// Bindings lists the current meanings of the names that the cells have declared: imports first, then by name. They
// have no position.
func (s *Session) Bindings() (list []Binding, err error) {
	err = s.ask(func() error {
		if s.remote != nil {
			list, err = s.remote.bindings()
			return err
		}
		list = s.bindings()
		return nil
	})
	return list, err
}

func (s *Session) bindings() []Binding {
	list := []Binding{}
	imports := s.scope.Imports()
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		list = append(list, Binding{Kind: "import", Name: name, Type: imports[name]})
	}
	for _, obj := range s.scope.Names() {
		b := Binding{Kind: "var", Name: obj.Name(), Type: s.scope.Text(obj.Type())}
		switch obj := obj.(type) {
		case *types.Const:
			b.Kind = "const"
		case *types.Func:
			b.Kind = "func"
		case *types.TypeName:
			b.Kind, b.Type = "type", s.scope.Text(obj.Type().Underlying())
		}
		list = append(list, b)
	}
	return list
}

// TypeOf returns the type that an expression would have in the next cell, in Go syntax.
// The error for an invalid expression is an *Error.
func (s *Session) TypeOf(expr string) (text string, err error) {
	err = s.ask(func() error {
		if s.remote != nil {
			text, err = s.remote.typeOf(expr)
			return err
		}
		t, err := s.scope.TypeOf(expr)
		if err != nil {
			return refusal(err)
		}
		text = s.scope.Text(t)
		return nil
	})
	return text, err
}

// Complete lists, sorted, the completions in the next cell of the identifier in text that
// ends at byte offset.
func (s *Session) Complete(text string, offset int) (names []string, err error) {
	err = s.ask(func() error {
		if s.remote != nil {
			names, err = s.remote.complete(text, offset)
			return err
		}
		names = s.scope.Complete(text, offset, s.box.plan.table.Paths())
		return nil
	})
	return names, err
}

// Reset removes all cells from the session.
func (s *Session) Reset() error {
	return s.ask(func() error {
		if s.remote != nil {
			return s.remote.reset()
		}
		s.end()
		fresh, err := s.box.Session()
		if err != nil {
			s.ended = err
			return err
		}
		s.state = fresh.state
		return nil
	})
}
