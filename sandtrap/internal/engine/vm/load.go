package vm

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/compile"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A restorer makes the values of a saved session again. What it reads may be anything:
// every object is made on its own, and then looked at as what the variables that lead to
// it say it is.
type restorer struct {
	*session
	state   *engine.State
	types   []*ir.Type
	objects []any
	owned   map[int]*ir.Obj // objects that are variables
	funcs   []map[string]*ir.Func
	run     engine.Run

	making map[int]bool            // objects that are made now
	used   map[int]bool            // parts of values of the host's that are made
	made   map[int64]reflect.Value // the maps and slices among them, which several may have
	items  []items
}

var errSaved = errors.New("the saved values are damaged")

// Uses makes names mean what the given cells declare, for the cell that is loaded next.
func (s *session) Uses(cells map[string]*rewrite.Cell) {
	s.Funcs, s.Vars = map[string]*ir.Func{}, make(map[string]*compile.Global, len(cells))
	for name, c := range cells {
		part, _ := c.Linked.(*linked)
		if part == nil {
			continue
		}
		if f := part.funcs[name]; f != nil {
			s.Funcs[name] = f
		}
		if v := part.declared[name]; v != nil {
			s.Vars[name] = v
		}
	}
}

// Restore gives the variables of the cells, by number, the values that are saved.
// The meter of run says what that may take.
func (s *session) Restore(st *engine.State, cells []*rewrite.Cell, packages *rewrite.Cell, list []types.Type, run engine.Run) (err error) {
	defer func() {
		s.restoring = false
		for _, c := range cells {
			if part, ok := c.Linked.(*linked); ok {
				part.declared, part.funcs, part.byKey = nil, nil, nil
			}
		}
	}()
	r := &restorer{session: s, state: st, run: run, owned: make(map[int]*ir.Obj, len(st.Globals)), making: map[int]bool{}, used: map[int]bool{}, made: map[int64]reflect.Value{}}
	s.machine.Host = &exec.HostAPI{Run: run, Live: s.machine.Live}
	defer func() {
		if v := recover(); v != nil {
			err = damaged(v)
		}
	}()
	for _, t := range list {
		r.types = append(r.types, s.Program.Types.Of(t))
	}
	for _, c := range append([]*rewrite.Cell{packages}, cells...) {
		part := &linked{}
		if c != nil {
			part, _ = c.Linked.(*linked)
		}
		r.funcs = append(r.funcs, part.byKey)
	}
	var roots []check
	for _, g := range st.Globals {
		v := r.variable(g, cells)
		if v == nil || g.Object < 1 || g.Object > len(st.Objects) || r.owned[g.Object] != nil {
			return fmt.Errorf("%w: variable %q", errSaved, g.Name)
		}
		r.owned[g.Object] = v.At
		roots = append(roots, check{v.T, v.At, 0})
	}
	r.objects = make([]any, len(st.Objects))
	for i := range st.Objects {
		r.object(int64(i + 1))
	}
	for i := range st.Objects {
		r.fill(i)
	}
	roots = append(roots, r.contents()...)
	v := &verifier{restorer: r, seen: map[check]bool{}, todo: roots}
	if err := v.all(); err != nil {
		return err
	}
	n, code, limit := v.bytes+r.size(), s.machine.Live.Now(), run.Meter.Limits().Memory
	if limit > 0 && n+code > limit {
		return fmt.Errorf("the saved values take %d bytes, and the code %d; the limit is %d", n, code, limit)
	}
	s.machine.Live.Loose += n
	if err := r.index(v.ifs); err != nil {
		return err
	}
	return r.putIn()
}

// damaged is the error for a panic that something in the state has led to. A stop goes on.
func damaged(v any) error {
	if stop, ok := v.(*gates.Stop); ok {
		panic(stop)
	}
	return fmt.Errorf("%w: %v", errSaved, v)
}

// object is object n, which is made if it is not there.
func (r *restorer) object(n int64) any {
	if n < 1 || n > int64(len(r.objects)) {
		panic("an object that is not there")
	}
	i := int(n - 1)
	if r.objects[i] != nil {
		return r.objects[i]
	}
	switch {
	case r.making[i]:
		panic("an object that is part of itself")
	case len(r.making) > maxNested:
		panic("objects that lie too deep in each other")
	}
	r.making[i] = true
	if r.objects[i] = r.make(i); r.objects[i] == nil {
		panic(fmt.Sprintf("an object of kind %q", r.state.Objects[i].Kind))
	}
	delete(r.making, i)
	return r.objects[i]
}

// size is what the objects take.
func (r *restorer) size() (n int64) {
	for i := range r.state.Objects {
		n += sizeOf(&r.state.Objects[i])
	}
	return n
}

// Prepare has the methods of the types compiled with the cell that is loaded next:
// values of them may be found in interfaces.
func (s *session) Prepare(list []types.Type) { s.needs = list }

// Restoring says that cells are loaded for their declarations, until Restore is called.
func (s *session) Restoring() { s.restoring = true }

func (r *restorer) variable(g engine.Global, cells []*rewrite.Cell) *compile.Global {
	var c *rewrite.Cell
	switch {
	case g.Cell > 0 && g.Cell <= len(cells):
		c = cells[g.Cell-1]
	case g.Cell == 0:
		return r.shared[g.Name]
	}
	if c == nil {
		return nil
	}
	part, _ := c.Linked.(*linked)
	if part == nil {
		return nil
	}
	return part.declared[g.Name]
}

// typeAt is a type of the table.
func (r *restorer) typeAt(i int) *ir.Type {
	if i < 0 || i >= len(r.types) {
		panic("a type that is not there")
	}
	return r.types[i]
}

// make makes object i without what it refers to; nil if there is no such thing.
func (r *restorer) make(i int) any {
	o := &r.state.Objects[i]
	switch o.Kind {
	case "cells":
		if at := r.owned[i+1]; at != nil {
			return at
		}
		return &ir.Obj{}
	case "map":
		if t := r.typeAt(o.Type); t.Kind == reflect.Map {
			return exec.NewMap(t)
		}
	case "chan":
		if len(o.I) == 1 && o.I[0] >= 0 && o.I[0] <= int64(o.N) && o.N <= maxSavedChan {
			c := &exec.Chan{Elem: r.typeAt(o.Type), Cap: o.N, Closed: o.Name == "closed"}
			c.Buf.N, c.Buf.Size = int(o.I[0]), int(o.I[0])
			return c
		}
	case "func":
		if o.Cell >= 0 && o.Cell < len(r.funcs) { // 0 for a package of the script's
			f := r.funcs[o.Cell][o.Name]
			if f == nil {
				f = r.funcs[0][o.Name]
			}
			if f != nil {
				return &ir.Closure{Fn: f}
			}
		}
	case "iface":
		if t := r.typeAt(o.Type); len(o.I) == 1 && len(o.S) == 1 && len(o.R) == 1 && !t.Native && t.Kind != reflect.Interface && t.Kind != ir.KindTuple {
			return &exec.Iface{T: t, I: o.I[0], S: o.S[0]}
		}
	default:
		if v, ok := nativeLoaded(o); ok {
			return v
		}
		return r.hostLoaded(o)
	}
	return nil
}

const maxSavedChan = 1 << 20

// fill gives object i what it refers to.
func (r *restorer) fill(i int) {
	o := &r.state.Objects[i]
	switch at := r.objects[i].(type) {
	case *ir.Obj:
		at.I, at.S, at.R = fitted(at.I, o.I), fitted(at.S, o.S), fitted(at.R, r.values(o.R))
	case *exec.Map:
		at.Keys, at.Vals = r.cells(o.R, 0), r.cells(o.R, 1)
		at.Rows = o.N
	case *exec.Chan:
		at.Buf.Cells = r.cells(o.R, 0)
	case *ir.Closure:
		if len(o.R) > 0 {
			at.Caps = r.cells(o.R, 0)
		}
	case *exec.Iface:
		at.R = r.value(o.R[0])
	default:
		r.fillHost(at, o)
	}
}

// fitted is what a bank holds from now on: the cells of a variable stay where they are.
func fitted[T any](at, saved []T) []T {
	if len(at) == 0 {
		return saved
	}
	clear(at)
	copy(at, saved)
	return at
}

func (r *restorer) cells(list []engine.Value, i int) *ir.Obj {
	if i >= len(list) {
		panic("a value that is not there")
	}
	o, ok := r.value(list[i]).(*ir.Obj)
	if !ok {
		panic("a value that is no row of cells")
	}
	return o
}

func (r *restorer) values(list []engine.Value) []any {
	if list == nil {
		return nil
	}
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = r.value(v)
	}
	return out
}

func (r *restorer) value(v engine.Value) any {
	switch v.Kind {
	case "":
		return nil
	case "object":
		return r.object(v.N)
	}
	b, ok := basicLoaded(v)
	if !ok {
		panic("a value of no kind")
	}
	return b
}

// index enters the rows of the maps that were found to be right, whose keys are there now.
func (r *restorer) index(found map[any]bool) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w: a key of a map", errSaved)
		}
	}()
	for i := range r.objects {
		h, ok := r.objects[i].(*exec.Map)
		if !ok || !found[h] {
			continue
		}
		keys, vals, n := h.Keys, h.Vals, h.Rows
		h.Keys, h.Vals, h.Rows = &ir.Obj{}, &ir.Obj{}, 0
		p := exec.Recursion{M: r.machine}
		for row := range n {
			at := h.Insert(&p, keys, row*h.T.Key.W())
			exec.RawCopy(h.T.Elem.Cells, h.Vals, at*h.T.Elem.W(), vals, row*h.T.Elem.W())
		}
	}
	return nil
}
