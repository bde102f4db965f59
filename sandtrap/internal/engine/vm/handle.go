package vm

import (
	"errors"
	"runtime"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// A handle is a function of the script as the host keeps it.
type handle struct {
	m *exec.Machine
	t *ir.Type
	c *ir.Closure
}

var _ engine.Func = (*handle)(nil)

// hand gives the host the function in cell k of b.
func hand(m *exec.Machine, t *ir.Type, b exec.Bank, k int) any {
	hidden := engine.Hidden{Type: printer.TypeText(t.T)}
	c, ok := b.R[k].(*ir.Closure)
	switch {
	case b.R[k] == nil:
		return nil
	case !ok:
		return hidden
	}
	handOver(m)
	return m.Host.Hand(&handle{m, t, c})
}

var errBroken = errors.New("engine vm: what the run left is not to be relied on")

// handOver says that the host has something by which it can wake the machine.
func handOver(m *exec.Machine) {
	if !m.Handed {
		m.Handed = true
		runtime.AddCleanup(m, (*engine.Heap).Leave, m.Live.Heap)
	}
}

func (h *handle) Type() string { return printer.TypeText(h.t.T) }

// Call implements engine.Func.
func (h *handle) Call(meter *gates.Meter, in []any) (out []any, o engine.Outcome) {
	m := h.m
	if m.Broken {
		return nil, engine.Outcome{Fault: errBroken}
	}
	m.Live.Heap.Resume()
	defer m.Lie()
	m.Wake()
	m.Initialised = len(m.P.Inits)
	r := m.Host.Run
	r.Meter, r.Visited = meter, true // the host has what it got of the run before
	m.Take(r)
	var bad error
	var args *ir.Obj
	o = m.Resume(func() {
		if args, bad = convertArgs(m, h.t, in); bad != nil {
			m.Stop = &exec.Stopped{}
			return
		}
		t := m.NewTask()
		m.Main, m.T = t, t
		if h.c.Fn == nil {
			t.Start = &hostCall{m, h.c, args}
			return
		}
		m.Push(h.c.Fn, 0, exec.PcEnd)
		rawFill(m, args)
		m.R[h.c.Fn.Params] = h.c
	}, func() {
		switch {
		case bad != nil:
		case h.c.Fn == nil:
			out = handedResults(m, h.t, args)
		default:
			out = handedResults(m, h.t, resultCells(m.Main, h.t.Out.W()))
		}
	})
	if m.Main != nil && !m.Broken {
		m.Main.Leave()
	}
	m.I, m.S, m.R, m.WindowOf = nil, nil, nil, nil
	if bad != nil {
		return nil, engine.Outcome{Fault: bad}
	}
	return out, o
}

// A hostCall is a task that calls a function of the host's, whose results take the place of
// the arguments.
type hostCall struct {
	m     *exec.Machine
	c     *ir.Closure
	cells *ir.Obj
}

// Do calls it.
func (h *hostCall) Do() { *h.cells = *h.m.CallHostClosure(h.c, h.cells).O }

// Within implements engine.Func.
func (h *handle) Within(in []any) (out []any, o engine.Outcome) {
	m := h.m
	if !m.CallIn(func() {
		args, err := convertArgs(m, h.t, in)
		if err != nil {
			o.Fault = err
			return
		}
		o.Panic = attempt(m, func() {
			var results *ir.Obj
			if h.c.Fn == nil {
				results = m.CallHostClosure(h.c, args).O
			} else {
				results = m.CallScript(h.c.Fn, h.c, args, h.c.Fn.Params)
			}
			out = handedResults(m, h.t, results)
		})
	}) {
		return nil, engine.Outcome{Fault: engine.ErrOver}
	}
	return out, o
}

// attempt calls f and gives what the script panicked with, if it did.
func attempt(m *exec.Machine, f func()) (p *engine.Panic) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *exec.ScriptPanic:
			if r.Goexits() {
				panic(r)
			}
			rec := &exec.PanicRec{Val: r.Value()}
			rec.Oldest = rec
			p = &engine.Panic{Text: printer.PanicText(m, rec), Stack: m.Frames(r.Where())}
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// resultCells are the first n of a task that has ended: its results.
func resultCells(t *exec.Task, n int) *ir.Obj {
	return &ir.Obj{I: t.I[:n:n], S: t.S[:n:n], R: t.R[:n:n]}
}

// rawFill puts arguments into the window of a function that begins.
func rawFill(m *exec.Machine, args *ir.Obj) {
	copy(m.I, args.I)
	copy(m.S, args.S)
	copy(m.R, args.R)
}

// handedResults are the results of a function of type t as the host keeps them.
func handedResults(m *exec.Machine, t *ir.Type, cells *ir.Obj) []any {
	w, errs := &printer.Walk{Left: printer.MaxVarsSize, Through: true}, newLeftErrors(m)
	out := make([]any, len(t.Out.Fields))
	for i, f := range t.Out.Fields {
		if errs != nil {
			errs.ask(f.Typ, cells, f.Off)
		}
		out[i] = handedOut(m, f.Typ, cells, f.Off, w, errs)
		if _, hidden := out[i].(engine.Hidden); hidden && f.Typ == ir.Universe.Error {
			out[i] = errTooLarge
		}
	}
	return out
}
