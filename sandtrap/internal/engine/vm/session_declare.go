package vm

import (
	"go/types"
	"slices"
	"sort"
	"weak"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/compile"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

var _ engine.Cell = (*loadedPart)(nil)

// Bindings are those that the cell was the first to use, by slot.
func (l *loadedPart) Bindings() []rewrite.Binding {
	var list []rewrite.Binding
	for _, i := range l.Slots {
		list = append(list, l.Program.Gates.List[i])
	}
	return list
}

// Schedules says that goroutines of a script are tasks of the engine.
func (l *loadedPart) Schedules() {}

// Declare makes what the cell declares known to those that follow.
func (l *loadedPart) Declare() {
	l.follow()
	for _, obj := range l.Prog.Declares() {
		name := obj.Name()
		delete(l.session.Funcs, name)
		delete(l.session.Vars, name)
		if f := l.Known.Funcs[obj]; f != nil {
			l.session.Funcs[name] = f
		}
		if v := l.Known.Vars[obj]; v != nil {
			l.session.Vars[name] = v
		}
	}
	l.Prog.Cell().Linked = l.linked()
	for _, u := range l.Prog.Sources() {
		u.Linked = l.Known
	}
}

// A linked is what a cell has become.
type linked struct {
	live  []liveVar  // by name
	types []*ir.Type // with the methods that it declares
	works []weak.Pointer[ir.Func]

	// While a session is restored:
	declared map[string]*compile.Global
	funcs    map[string]*ir.Func
	byKey    map[string]*ir.Func
}

// Working reports that there are values of functions which the statements made.
func (l *linked) Working() bool {
	return slices.ContainsFunc(l.works, func(w weak.Pointer[ir.Func]) bool { return w.Value() != nil })
}

func (l *loadedPart) linked() *linked {
	out := &linked{types: l.Types}
	for _, f := range l.Compiled {
		if f.Working && f.Valued {
			out.works = append(out.works, weak.Make(f))
		}
	}
	if l.restoring {
		out.declared, out.funcs, out.byKey = make(map[string]*compile.Global, len(l.Known.Vars)), map[string]*ir.Func{}, map[string]*ir.Func{}
		for _, f := range l.Compiled {
			out.byKey[f.Key] = f
		}
	}
	for obj, v := range l.Known.Vars {
		name := l.nameOf(obj)
		if obj.Pkg().Path() != "main" {
			l.shared[name] = v
			continue
		}
		if name == "" {
			continue
		}
		if out.live = append(out.live, liveVar{name, weak.Make(v.At)}); l.restoring {
			out.declared[name] = v
		}
	}
	sort.Slice(out.live, func(i, j int) bool { return out.live[i].name < out.live[j].name })
	for obj, f := range l.Known.Funcs {
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
	case obj.Pkg() == l.Prog.Main().Package:
		return obj.Name()
	}
	return ""
}

// A liveVar is a variable of a cell as long as there is something that refers to it.
type liveVar struct {
	name string
	at   weak.Pointer[ir.Obj]
}

// Run runs the cell on the machine of the session.
func (l *loadedPart) Run(r engine.Run) engine.Outcome {
	p, m := l.Program, l.machine
	p.Inits, p.Main, p.Vars, p.Gates.Echoes = l.Inits, l.Main, l.Vars, l.Prog.Echoes()
	m.Live.Heap.Resume()
	defer m.Live.Heap.Pause()
	defer l.rest()
	defer l.GiveBack(l.Slots)
	m.Wake()
	return run(m, r, func() {
		for _, v := range l.Made {
			m.Alloc(ir.CellsBytes(v.T.Cells))
			exec.Follow(m, v.At)
		}
	})
}

// rest ends the run of a cell. The types that it has come upon are those of the session.
func (l *loadedPart) rest() {
	m := l.machine
	m.Rest()
	m.P.Inits, m.P.Main, m.P.Vars, m.P.Gates.Echoes = nil, nil, nil, nil
	m.P.Drop(l.statements())
	if m.Types != nil {
		m.P.Types.Take(m.Types)
		for _, t := range m.Types.All { // the compiler indexes only those that it makes itself
			m.P.IndexHost(t)
		}
		m.Types = nil
	}
}

// statements are the functions of the statements of the cell, and of the initialisers of its variables, as far as nothing
// can call them again: a main of the author's has a name.
func (l *loadedPart) statements() []*ir.Func {
	return slices.DeleteFunc(append(slices.Clone(l.Inits), l.Main), func(f *ir.Func) bool {
		return f.Valued || !f.Working || f == l.session.Funcs["main"]
	})
}

// Close ends what is counted for the session.
func (s *session) Close() { s.machine.Live.Heap.Leave() }
