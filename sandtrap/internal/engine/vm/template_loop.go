package vm

import (
	"go/types"
	"reflect"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// loop is a range.
func (e *tmplExec) loop(dot mirror, n *parse.RangeNode) control {
	mark := e.mark()
	end := e.rounds(dot, n)
	e.pop(mark)
	return end
}

func (e *tmplExec) rounds(dot mirror, n *parse.RangeNode) control {
	v, _ := e.m.indirect(e.pipeline(dot, n.Pipe))
	mark := e.mark()
	ran, left := false, goOn
	// once runs the body and reports whether to go on.
	once := func(index, elem mirror) bool {
		e.m.tick()
		ran = true
		e.iteration(n.Pipe, index, elem)
		c := e.walk(elem, n.List)
		e.pop(mark)
		if c == breakLoop {
			left = breakLoop
		}
		return c != breakLoop
	}
	e.over(n, v, once)
	if !ran && left == goOn && n.ElseList != nil {
		return e.walk(dot, n.ElseList)
	}
	return goOn
}

// iteration sets the variables of a range.
func (e *tmplExec) iteration(p *parse.PipeNode, index, elem mirror) {
	switch n := len(p.Decl); {
	case n == 0:
	case p.IsAssign && n == 1:
		*e.variable(p.Decl[0].Ident[0]) = elem
	case p.IsAssign:
		*e.variable(p.Decl[0].Ident[0]) = index
		*e.variable(p.Decl[1].Ident[0]) = elem
	default:
		e.vars[len(e.vars)-1].val = elem
		if n > 1 {
			e.vars[len(e.vars)-2].val = index
		}
	}
}

// over calls once for each element of v until it says no.
func (e *tmplExec) over(n *parse.RangeNode, v mirror, once func(index, elem mirror) bool) {
	two := len(n.Pipe.Decl) > 1
	switch k := v.kind(); {
	case k == reflect.Invalid:
	case ir.IsInteger(v.t):
		if two {
			e.errorf("can't use %v to iterate over more than one variable", e.m.told(v))
		}
		e.overInt(v, once)
	case k == reflect.Array || k == reflect.Slice:
		for i := 0; i < v.length() && once(e.m.mirrorInt(i), e.m.index(v, i)); i++ {
		}
	case k == reflect.Map:
		for _, x := range e.m.entries(v) {
			if !once(x.key, x.val) {
				break
			}
		}
	case k == reflect.Chan:
		e.overChan(v, once)
	case k == reflect.Func && e.iterates(v) == 1:
		if two {
			e.errorf("can't use %v iterate over more than one variable", e.m.told(v))
		}
		e.overFunc(v, func(in []mirror) bool { return once(mirror{}, in[0]) })
	case k == reflect.Func && e.iterates(v) == 2:
		e.overFunc(v, func(in []mirror) bool {
			if two {
				return once(in[0], in[1])
			}
			return once(mirror{}, in[0])
		})
	default:
		e.errorf("range can't iterate over %v", e.m.told(v))
	}
}

func (e *tmplExec) overInt(v mirror, once func(index, elem mirror) bool) {
	for i := int64(0); lessInt(v.t, i, v.int()); i++ {
		x := zeroOf(v.t)
		x.c.I[0] = i
		if !once(mirror{}, x) {
			return
		}
	}
}

func lessInt(t *ir.Type, a, b int64) bool {
	if ir.IsUnsigned(t) {
		return uint64(a) < uint64(b)
	}
	return a < b
}

func (e *tmplExec) overChan(v mirror, once func(index, elem mirror) bool) {
	if v.isNil() {
		return
	}
	if v.t.T.Underlying().(*types.Chan).Dir() == types.SendOnly {
		e.errorf("range over send-only channel %v", e.m.told(v))
	}
	c, ok := v.ref().(*Chan)
	if !ok {
		e.errorf("range can't iterate over %v", e.m.told(v))
	}
	for i := 0; ; i++ {
		val, ok := e.m.receive(c)
		if !ok || !once(e.m.mirrorInt(i), mirror{t: c.elem, c: val}) {
			return
		}
	}
}

// receive takes a value from a channel, and lets other tasks run until there is one.
func (m *machine) receive(c *Chan) (*ir.Obj, bool) {
	t, n := m.t, c.elem.W()
	val := ir.NewObj(n, ir.BankI|ir.BankS|ir.BankR, 1)
	if ok, done := m.tryRecv(c, val, 0); done {
		return val, ok
	}
	shift := m.shiftAt(t.pc)
	m.room(shift + n + 1)
	at := t.base + shift // where a callee would have its window
	c.recvq.push(t.waits(c, 0, at, at+n))
	t.parked, t.waitFor = true, "chan receive"
	m.block()
	m.view()
	rawCopy(c.elem.Cells, val, 0, &ir.Obj{I: t.I, S: t.S, R: t.R}, at)
	return val, t.I[at+n] != 0
}

// iterates is the number of values that a function yields which is an iterator.
func (e *tmplExec) iterates(v mirror) int {
	sig := e.m.signatureOf(v.t)
	if sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return 0
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok || yield.Results().Len() != 1 || !isBool(yield.Results().At(0).Type()) {
		return 0
	}
	return yield.Params().Len()
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// signatureOf is the signature of a function type.
func (m *machine) signatureOf(t *ir.Type) *types.Signature {
	return t.T.Underlying().(*types.Signature)
}

// overFunc calls an iterator with a yield that calls once. A failure within it ends
// the iteration first: the iterator is on the stack of the script.
func (e *tmplExec) overFunc(v mirror, once func(in []mirror) bool) {
	c := e.m.function(v)
	yield := e.m.typeOf(c.sig.Params().At(0).Type())
	params := e.m.typeOf(e.m.signatureOf(yield).Params())
	var failed *tmplFailure
	body := func(in ...any) bool {
		if failed != nil {
			return false
		}
		args := make([]mirror, len(in))
		for i, a := range in {
			args[i] = e.m.unwrapped1(a, params.Fields[i].Typ)
		}
		return e.tried(func() bool { return once(args) }, &failed)
	}
	y := zeroOf(yield)
	y.c.R[0] = &ir.Closure{Host: hostYield(len(params.Fields), body), Sig: yield}
	e.m.call(c, []mirror{y})
	if failed != nil {
		panic(*failed)
	}
}

// unwrapped1 is a value of type t that came by the way of the host.
func (m *machine) unwrapped1(a any, t *ir.Type) mirror {
	a = hostIface(a)
	if t.Kind == reflect.Interface {
		v := zeroOf(t)
		v.c.R[0] = a
		return v
	}
	return m.mirrorOf(a)
}

// tried calls f, and keeps its failure.
func (e *tmplExec) tried(f func() bool, failed **tmplFailure) (more bool) {
	node, levels := e.node, e.m.tmplRun().levels
	defer func() {
		e.m.tmplRun().levels = levels
		if e.m.stop != nil {
			return
		}
		switch r := recover().(type) {
		case nil:
		case tmplFailure:
			*failed, more = &r, false
		default:
			panic(r)
		}
		e.node = node
	}()
	return f()
}

// hostYield is body as a function with n parameters, 1 or 2.
func hostYield(n int, body func(...any) bool) reflect.Value {
	if n == 1 {
		return reflect.ValueOf(func(a any) bool { return body(a) })
	}
	return reflect.ValueOf(func(a, b any) bool { return body(a, b) })
}
