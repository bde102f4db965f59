package sandtrap

import (
	"go/types"
	"maps"
	"slices"
)

// A SessionBinding is a name that the cells of a session have declared.
type SessionBinding struct {
	Kind string // var, const, func, type, import
	Name string
	Type string // of a type what it is made of, of an import the path
}

// Bindings lists what names mean now: imports first, then by name.
func (s *Session) Bindings() []SessionBinding {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.remote != nil {
		return s.remote.bindings()
	}
	list := []SessionBinding{}
	imports := s.scope.Imports()
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		list = append(list, SessionBinding{"import", name, imports[name]})
	}
	for _, obj := range s.scope.Names() {
		b := SessionBinding{"var", obj.Name(), s.scope.Text(obj.Type())}
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

// TypeOf is the type that an expression would have in the next cell, as Go writes it.
// The error is an *Error.
func (s *Session) TypeOf(expr string) (text string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if recover() != nil {
			text, err = "", internalError("the sandbox failed while it checked the expression")
		}
	}()
	if s.remote != nil {
		return s.remote.typeOf(expr)
	}
	t, err := s.scope.TypeOf(expr)
	if err != nil {
		return "", refusal(err)
	}
	return s.scope.Text(t), nil
}

// Complete lists the names, sorted, that the identifier in text which ends at offset, a
// number of bytes, may be made into in the next cell.
func (s *Session) Complete(text string, offset int) (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if recover() != nil {
			names = nil
		}
	}()
	if s.remote != nil {
		return s.remote.complete(text, offset)
	}
	return s.scope.Complete(text, offset, s.box.plan.table.Paths())
}

// Reset makes the session one without cells again.
func (s *Session) Reset() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil {
		return s.ended
	}
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
}
