package vm

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A saver writes the values of a session down: each object once, by what it is made of,
// whatever it is seen as. Only values in interfaces, maps and channels say their types.
type saver struct {
	*session
	out     *engine.State
	number  map[*rewrite.Cell]int
	ids     map[any]int
	todo    []any // objects by number that are to be written
	written int
	types   rewrite.TypeWriter
	cells   map[*types.Package]*rewrite.Cell
	at      string // the variable that what is written belongs to
}

// notSaved is the panic of a saver that comes to what cannot be saved.
type notSaved struct{ err error }

func (s *saver) refuse(format string, args ...any) {
	panic(notSaved{fmt.Errorf("variable %s: %s", s.at, fmt.Sprintf(format, args...))})
}

// Save writes down what the variables of the cells hold that live gives, which is told of
// the cells that these values need.
func (s *session) Save(live func(others []*rewrite.Cell) []*rewrite.Cell) (st *engine.State, err error) {
	w := &saver{session: s, out: &engine.State{}, number: map[*rewrite.Cell]int{}, ids: map[any]int{}, cells: map[*types.Package]*rewrite.Cell{}}
	w.types.Cell = w.cellOfType
	defer func() {
		switch r := recover().(type) {
		case nil:
		case notSaved:
			st, err = nil, r.err
		default:
			panic(r)
		}
	}()
	for _, t := range s.Program.Types.All {
		if n, ok := t.T.(*types.Named); ok && t.Cell != nil {
			w.cells[n.Obj().Pkg()] = t.Cell
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.shared)) {
		w.variable(0, name, s.shared[name].At)
	}
	done := map[*rewrite.Cell]bool{}
	for more := true; more; {
		more = false
		for _, c := range live(w.out.Cells) {
			if !done[c] {
				done[c], more = true, true
				w.variables(c)
			}
		}
	}
	w.out.Types = w.types.List
	return w.out, nil
}

// cell gives the number of a cell.
func (s *saver) cell(c *rewrite.Cell) int {
	if s.number[c] == 0 {
		s.out.Cells = append(s.out.Cells, c)
		s.number[c] = len(s.out.Cells)
	}
	return s.number[c]
}

func (s *saver) cellOfType(pkg *types.Package) (int, error) {
	c := s.cells[pkg]
	if c == nil {
		return 0, fmt.Errorf("the cell of a type is not known")
	}
	return s.cell(c), nil
}

func (s *saver) typ(t *ir.Type) int {
	i, err := s.types.Add(t.T)
	if err != nil {
		s.refuse("%v", err)
	}
	return i
}

// variables writes down those of a cell.
func (s *saver) variables(c *rewrite.Cell) {
	part, _ := c.Linked.(*linked)
	if part == nil {
		return
	}
	vars := part.live
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if at := vars[name].Value(); at != nil {
			s.variable(s.cell(c), name, at)
		}
	}
}

func (s *saver) variable(cell int, name string, at *ir.Obj) {
	s.at = name
	s.out.Globals = append(s.out.Globals, engine.Global{Cell: cell, Name: name, Object: s.object(at)})
	s.drain()
}

// object gives the number of what a reference leads to, which is written later.
func (s *saver) object(o any) int {
	if s.ids[o] == 0 {
		s.todo = append(s.todo, o)
		s.out.Objects = append(s.out.Objects, engine.Object{})
		s.ids[o] = len(s.out.Objects)
	}
	return s.ids[o]
}

func (s *saver) drain() {
	for ; s.written < len(s.todo); s.written++ {
		o := s.write(s.todo[s.written]) // which adds to the list
		s.out.Objects[s.written] = o
		s.todo[s.written] = nil
	}
}

func (s *saver) write(o any) engine.Object {
	switch o := o.(type) {
	case *ir.Obj:
		if exec.EscapedTo(o) != nil {
			s.refuse("its memory is shared with the host")
		}
		return engine.Object{Kind: "cells", I: o.I, S: o.S, R: s.values(o.R)}
	case *exec.Map:
		return s.mapping(o)
	case *exec.Chan:
		return s.channel(o)
	case *ir.Closure:
		return s.closure(o)
	case *exec.Iface:
		return engine.Object{Kind: "iface", Type: s.typ(o.T), I: []int64{o.I}, S: []string{o.S}, R: s.values([]any{o.R})}
	}
	if out, ok := nativeSaved(o); ok {
		return out
	}
	if out, ok := s.hostSaved(o); ok {
		return out
	}
	s.refuse("it holds %s, which cannot be saved", s.hostText(o))
	return engine.Object{}
}

func (s *saver) values(list []any) []engine.Value {
	if list == nil {
		return nil
	}
	out := make([]engine.Value, len(list))
	for i, v := range list {
		out[i] = s.value(v)
	}
	return out
}

// value is what a reference is.
func (s *saver) value(v any) engine.Value {
	if v == nil {
		return engine.Value{}
	}
	if out, ok := basicSaved(v); ok {
		return out
	}
	return engine.Value{Kind: "object", N: int64(s.object(v))}
}

func (s *saver) mapping(h *exec.Map) engine.Object {
	if h.View != nil {
		s.refuse("its memory is shared with the host")
	}
	out := engine.Object{Kind: "map", Type: s.typ(h.T)}
	keys, vals := &ir.Obj{}, &ir.Obj{}
	for row := range h.Rows {
		if h.Alive[row] {
			appendCells(keys, h.T.Key, h.Keys, row)
			appendCells(vals, h.T.Elem, h.Vals, row)
			out.N++
		}
	}
	out.R = []engine.Value{s.value(keys), s.value(vals)}
	return out
}

// appendCells adds the value in a row of from to o.
func appendCells(o *ir.Obj, t *ir.Type, from *ir.Obj, row int) {
	n := o.CellCount()
	exec.GrowObj(o, t)
	exec.RawCopy(t.Cells, o, n, from, row*t.W())
}

func (s *saver) channel(c *exec.Chan) engine.Object {
	switch {
	case c.Host.IsValid():
		s.refuse("it holds a channel of the host")
	case c.Waited():
		s.refuse("goroutines wait for a channel that it holds")
	}
	out := engine.Object{Kind: "chan", Type: s.typ(c.Elem), N: c.Cap}
	vals := &ir.Obj{}
	for i := range c.Buf.N {
		appendCells(vals, c.Elem, c.Buf.Cells, c.Buf.At(i))
	}
	out.I, out.R = []int64{int64(c.Buf.N)}, []engine.Value{s.value(vals)}
	if c.Closed {
		out.Name = "closed"
	}
	return out
}

func (s *saver) closure(c *ir.Closure) engine.Object {
	if c.Fn == nil || c.Fn.Key == "" || c.Fn.From.Cell == nil {
		s.refuse("it holds a function of the host")
	}
	out := engine.Object{Kind: "func", Cell: s.cell(c.Fn.From.Cell), Name: c.Fn.Key}
	if c.Caps != nil {
		out.R = []engine.Value{s.value(c.Caps)}
	}
	return out
}
