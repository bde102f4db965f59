package vm

import (
	"fmt"
	"go/types"
	"maps"
	"reflect"
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
	bad     map[int]string // objects that cannot be saved, with the reasons
	room    room
}

// notSaved is the panic of a saver that comes to what cannot be saved.
type notSaved string

func (s *saver) refuse(format string, args ...any) { panic(notSaved(fmt.Sprintf(format, args...))) }

// Save writes down what the variables of the cells hold that scope gives, which is told of
// the cells that these values need. A variable whose value leads to what cannot be saved is left out.
func (s *session) Save(scope engine.Scope, run engine.Run) *engine.State {
	s.machine.Host = &exec.HostAPI{Run: run, Live: s.machine.Live}
	w := &saver{
		session: s, out: &engine.State{}, number: map[*rewrite.Cell]int{}, ids: map[any]int{}, cells: map[*types.Package]*rewrite.Cell{},
		bad: map[int]string{}, room: newRoom(run.Meter),
	}
	w.types.Cell, w.types.Known = w.cellOfType, scope.Knows
	for _, t := range s.Program.Types.All {
		if n, ok := t.T.(*types.Named); ok && t.Cell != nil {
			w.cells[n.Obj().Pkg()] = t.Cell
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.shared)) {
		w.variable(0, name, s.shared[name].At)
	}
	done := map[*rewrite.Cell]bool{}
	isNew := func(c *rewrite.Cell) bool { return !done[c] }
	for first := true; first || slices.ContainsFunc(w.out.Cells, isNew); first = false {
		for _, c := range scope.Live(w.out.Cells) {
			if isNew(c) {
				done[c] = true
				w.variables(c)
			}
		}
	}
	w.out.Types = w.types.List
	w.nested()
	w.leaveOut()
	return w.out
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
	s.expect(2 * len(vars)) // and what they lead to
	for _, v := range vars {
		if at := v.at.Value(); at != nil {
			s.variable(s.cell(c), v.name, at)
		}
	}
}

// expect makes room for n objects, as far as that is cheaper than to grow.
func (s *saver) expect(n int) {
	s.out.Objects, s.todo = slices.Grow(s.out.Objects, n), slices.Grow(s.todo, n)
	if len(s.ids) == 0 {
		s.ids = make(map[any]int, n)
	}
}

func (s *saver) variable(cell int, name string, at *ir.Obj) {
	before, spent := len(s.out.Objects), s.room.spent
	g := engine.Global{Cell: cell, Name: name}
	if s.try(func() { g.Object = s.object(at) }) == "" {
		s.drain()
	}
	if s.room.over() {
		s.takeBack(before)
		s.room.spent = spent
		s.skip(name, s.room.full())
		return
	}
	s.out.Globals = append(s.out.Globals, g)
}

// object gives the number of what a reference leads to, which is written later.
func (s *saver) object(o any) int {
	id := identityOf(o)
	if id != nil && s.ids[id] != 0 {
		return s.ids[id]
	}
	s.add(o)
	if id != nil {
		s.ids[id] = len(s.out.Objects)
	}
	return len(s.out.Objects)
}

// add makes room for an object, which is written later.
func (s *saver) add(o any) {
	s.spend(ir.ObjBytes)
	s.todo = append(s.todo, o)
	s.out.Objects = append(s.out.Objects, engine.Object{})
}

// identityOf is a key of what o is, which is the same for all that share it; nil for a value that can be copied.
func identityOf(o any) any {
	h, _ := o.(*exec.HostVals)
	if at, ok := o.(*ir.Obj); ok {
		h = exec.EscapedTo(at)
	}
	if h != nil && h.V.Len() > 0 && !exec.HeldByHost(h.T) {
		return hostMemory{h.T, memoryOf(h.V)}
	}
	if kind, n := nativeKind(o); kind != reflect.Invalid && n > 0 {
		return memoryOf(exec.StoreSlice(o))
	}
	rt := reflect.TypeOf(o)
	switch {
	case rt.Kind() == reflect.Pointer:
		return o
	case rt.Kind() == reflect.Map || rt.Kind() == reflect.Slice:
		return memoryOf(reflect.ValueOf(o))
	case rt.Comparable() && reflect.ValueOf(o).Comparable():
		return o
	}
	return nil
}

// A memory is what a map, or the elements of a slice, of the host's are in.
type memory struct {
	t  reflect.Type
	at uintptr
	n  int
}

// hostMemory is what several lists of the host's may stand for.
type hostMemory struct {
	t  *ir.Type
	at any
}

// memoryOf is that of a map or a slice; nil if there is none.
func memoryOf(v reflect.Value) any {
	if v.Len() == 0 && v.Kind() == reflect.Slice {
		return nil
	}
	return memory{v.Type(), v.Pointer(), v.Len()}
}

// ready is an object that is written already.
type ready engine.Object

// part gives the number of an object that only parts of the host's values lead to.
func (s *saver) part(o engine.Object) engine.Value {
	s.add(ready(o))
	return engine.Value{Kind: "object", N: int64(len(s.out.Objects))}
}

// drain writes objects until none is left, or there is no room for more.
func (s *saver) drain() {
	for s.written < len(s.todo) && !s.room.over() {
		if why := s.try(s.writeSome); why != "" {
			s.written++
			s.bad[s.written] = why
		}
	}
}

// try is why do comes to what cannot be saved; it is empty if that does not happen.
func (s *saver) try(do func()) (why string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case notSaved:
			why = string(r)
		default:
			panic(r)
		}
	}()
	do()
	return ""
}

// writeSome writes objects until none is left, or one cannot be saved.
func (s *saver) writeSome() {
	for ; s.written < len(s.todo); s.written++ {
		o := s.todo[s.written]
		s.todo[s.written] = nil
		out := s.write(o)      // which adds to the list
		s.spend(bytesOf(&out)) // the rest was counted when it was found
		s.out.Objects[s.written] = out
	}
}

func (s *saver) write(o any) engine.Object {
	switch o := o.(type) {
	case ready:
		return engine.Object(o)
	case *ir.Obj:
		if to := exec.EscapedTo(o); to != nil {
			o = copiedBack(to)
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
	s.spend(valueBytes)
	if v == nil {
		return engine.Value{}
	}
	if out, ok := basicSaved(v); ok {
		s.spend(int64(len(out.S)))
		return out
	}
	return engine.Value{Kind: "object", N: int64(s.object(v))}
}

// copiedBack is a copy of what lies in memory of the host's.
func copiedBack(from *exec.HostVals) *ir.Obj {
	w, n := from.T.W(), from.V.Len()
	o := ir.NewObj(w, ir.BankI|ir.BankS|ir.BankR, n)
	for i := range n {
		exec.FromHost(from.M, from.V.Index(i), from.T, o, i*w)
	}
	return o
}

func (s *saver) mapping(h *exec.Map) engine.Object {
	h = h.Solid()
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
		s.refuse("it holds a channel that the host has too, or that is a key of a map")
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
