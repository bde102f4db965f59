package vm

import (
	"errors"
	"reflect"
	"runtime"
	"slices"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A handle is a function of the script as the host keeps it.
type handle struct {
	m *machine
	t *ir.Type
	c *ir.Closure
}

var _ engine.Func = (*handle)(nil)

// hand gives the host the function in cell k of b.
func (m *machine) hand(t *ir.Type, b bank, k int) any {
	hidden := engine.Hidden{Type: typeText(t.T)}
	c, ok := b.R[k].(*ir.Closure)
	switch {
	case b.R[k] == nil:
		return nil
	case !ok:
		return hidden
	}
	m.handOver()
	return m.seam.Hand(&handle{m, t, c})
}

var errBroken = errors.New("engine vm: what the run left is not to be relied on")

// handOver says that the host has something by which it can wake the machine.
func (m *machine) handOver() {
	if !m.handed {
		m.handed = true
		runtime.AddCleanup(m, (*engine.Heap).Leave, m.live.heap)
	}
}

func (h *handle) Type() string { return typeText(h.t.T) }

// Call implements engine.Func.
func (h *handle) Call(meter *gates.Meter, in []any) (out []any, o engine.Outcome) {
	m := h.m
	if m.broken {
		return nil, engine.Outcome{Fault: errBroken}
	}
	m.live.heap.Resume()
	defer m.lie()
	m.wake()
	m.initialised = len(m.p.Inits)
	r := m.seam.Run
	r.Meter, r.Visited = meter, true // the host has what it got of the run before
	m.take(r)
	var bad error
	var args *ir.Obj
	o = m.turn(func() {
		if args, bad = m.givenAll(h.t, in); bad != nil {
			m.stop = &stopped{}
			return
		}
		t := m.newTask()
		m.main, m.t = t, t
		if h.c.Fn == nil {
			t.start = &hostCall{m, h.c, args}
			return
		}
		m.push(h.c.Fn, 0, pcEnd)
		rawFill(m, args)
		m.R[h.c.Fn.Params] = h.c
	}, func() {
		switch {
		case bad != nil:
		case h.c.Fn == nil:
			out = m.handedResults(h.t, args)
		default:
			out = m.handedResults(h.t, resultCells(m.main, h.t.Out.W()))
		}
	})
	if m.main != nil && !m.broken {
		m.main.leave()
	}
	m.I, m.S, m.R, m.windowOf = nil, nil, nil, nil
	if bad != nil {
		return nil, engine.Outcome{Fault: bad}
	}
	return out, o
}

// A hostCall is a task that calls a function of the host's, whose results take the place of
// the arguments.
type hostCall struct {
	m     *machine
	c     *ir.Closure
	cells *ir.Obj
}

// Do calls it.
func (h *hostCall) Do() { *h.cells = *h.m.callHostClosure(h.c, h.cells).o }

// Within implements engine.Func.
func (h *handle) Within(in []any) (out []any, o engine.Outcome) {
	m := h.m
	if !m.visit(func() {
		args, err := m.givenAll(h.t, in)
		if err != nil {
			o.Fault = err
			return
		}
		o.Panic = m.attempt(func() {
			var results *ir.Obj
			if h.c.Fn == nil {
				results = m.callHostClosure(h.c, args).o
			} else {
				results = m.callback(h.c.Fn, h.c, args, h.c.Fn.Params)
			}
			out = m.handedResults(h.t, results)
		})
	}) {
		return nil, engine.Outcome{Fault: engine.ErrOver}
	}
	return out, o
}

// attempt calls f and gives what the script panicked with, if it did.
func (m *machine) attempt(f func()) (p *engine.Panic) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *scriptPanic:
			if r.goexits() {
				panic(r)
			}
			rec := &panicRec{val: r.value()}
			rec.oldest = rec
			p = &engine.Panic{Text: m.panicText(rec), Stack: m.frames(r.where())}
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// resultCells are the first n of a task that has ended: its results.
func resultCells(t *task, n int) *ir.Obj {
	return &ir.Obj{I: t.I[:n:n], S: t.S[:n:n], R: t.R[:n:n]}
}

// rawFill puts arguments into the window of a function that begins.
func rawFill(m *machine, args *ir.Obj) {
	copy(m.I, args.I)
	copy(m.S, args.S)
	copy(m.R, args.R)
}

// handedResults are the results of a function of type t as the host keeps them.
func (m *machine) handedResults(t *ir.Type, cells *ir.Obj) []any {
	w := &walk{left: maxVarsSize, through: true}
	out := make([]any, len(t.Out.Fields))
	for i, f := range t.Out.Fields {
		if f.Typ.Kind == reflect.Interface && f.Typ.Host == errorType && cells.R[f.Off] != nil {
			out[i] = m.handedError(cells.R[f.Off], w)
			continue
		}
		out[i] = m.handedOut(f.Typ, cells, f.Off, w)
	}
	return out
}

// handedError is what an interface holds that is an error: one of the host's as it is, of
// the script's the text, because later the script cannot be asked.
func (m *machine) handedError(v any, w *walk) error {
	if err, ok := v.(error); ok {
		if !w.error(err, 0) {
			return errors.New("(the error is too large, or holds itself)")
		}
		if !holdsScript(err, 0) {
			return err
		}
	}
	if m.t == nil {
		m.t = m.newTask()
	}
	text := "(the error's text panicked)"
	m.attempt(func() { text = m.panicValue(v) })
	return errors.New(text)
}

// holdsScript reports that err wraps an error of the script, or may do so far within. It has been
// walked.
func holdsScript(err error, depth int) bool {
	if _, ok := scriptValue(err); ok || depth > maxEchoDepth {
		return true
	}
	return slices.ContainsFunc(engine.Unwrapped(err), func(e error) bool { return e != nil && holdsScript(e, depth+1) })
}
