package vm

import (
	"go/types"
	"slices"
	"weak"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

var _ engine.Cell = (*loadedPart)(nil)

// Bindings are those that the cell was the first to use, by slot.
func (l *loadedPart) Bindings() []rewrite.Binding {
	var list []rewrite.Binding
	for _, i := range l.slots {
		list = append(list, l.program.gates.list[i])
	}
	return list
}

// Schedules says that goroutines of a script are tasks of the engine.
func (l *loadedPart) Schedules() {}

// Declare makes what the cell declares known to those that follow.
func (l *loadedPart) Declare() {
	l.follow()
	for _, obj := range l.prog.Declares() {
		name := obj.Name()
		delete(l.session.funcs, name)
		delete(l.session.vars, name)
		if f := l.known.funcs[obj]; f != nil {
			l.session.funcs[name] = f
		}
		if v := l.known.vars[obj]; v != nil {
			l.session.vars[name] = v
		}
	}
	l.prog.Cell().Linked = l.linked()
	for _, u := range l.prog.Sources() {
		u.Linked = l.known
	}
}

// A linked is what a cell has become.
type linked struct {
	live  liveVars
	types []*Type // with the methods that it declares
	works []weak.Pointer[Func]

	// While a session is restored:
	declared map[string]*global
	funcs    map[string]*Func
	byKey    map[string]*Func
}

// Working reports that there are values of functions which the statements made.
func (l *linked) Working() bool {
	return slices.ContainsFunc(l.works, func(w weak.Pointer[Func]) bool { return w.Value() != nil })
}

func (l *loadedPart) linked() *linked {
	out := &linked{live: liveVars{}, types: l.types}
	for _, f := range l.compiled {
		if f.working && f.valued {
			out.works = append(out.works, weak.Make(f))
		}
	}
	if l.restoring {
		out.declared, out.funcs, out.byKey = map[string]*global{}, map[string]*Func{}, map[string]*Func{}
		for _, f := range l.compiled {
			out.byKey[f.key] = f
		}
	}
	for obj, v := range l.known.vars {
		name := l.nameOf(obj)
		if obj.Pkg().Path() != "main" {
			l.shared[name] = v
			continue
		}
		if name == "" {
			continue
		}
		if out.live[name] = weak.Make(v.at); l.restoring {
			out.declared[name] = v
		}
	}
	for obj, f := range l.known.funcs {
		if name := l.nameOf(obj); name != "" && l.restoring {
			out.funcs[name] = f
		}
	}
	return out
}

// nameOf is what an object goes by in its cell, "" for what another one declares.
func (l *loadedPart) nameOf(obj types.Object) string {
	switch {
	case obj.Pkg().Path() != "main":
		return obj.Pkg().Path() + "." + obj.Name()
	case obj.Pkg() == l.prog.Main().Package:
		return obj.Name()
	}
	return ""
}

// liveVars are the variables of a cell, and of the script's packages that came with it,
// as long as there is something that refers to them.
type liveVars map[string]weak.Pointer[Obj]

// Run runs the cell on the machine of the session.
func (l *loadedPart) Run(r engine.Run) engine.Outcome {
	p, m := l.program, l.machine
	p.inits, p.main, p.vars, p.gates.prog = l.inits, l.main, l.vars, l.prog
	m.live.heap.Resume()
	defer m.live.heap.Pause()
	defer l.rest()
	defer l.giveBack(l.slots)
	m.wake()
	return m.run(r, func() {
		for _, v := range l.made {
			m.alloc(cellsBytes(v.t.cells))
			follow(m, v.at)
		}
	})
}

// rest ends the run of a cell. The types that it has come upon are those of the session.
func (l *loadedPart) rest() {
	m := l.machine
	m.rest()
	m.p.inits, m.p.main, m.p.vars = nil, nil, nil
	if m.types != nil {
		m.p.types.take(m.types)
		m.types = nil
	}
}

// Close ends what is counted for the session.
func (s *session) Close() { s.machine.live.heap.Leave() }
