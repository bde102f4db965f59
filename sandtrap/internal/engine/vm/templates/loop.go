package templates

import (
	"go/types"
	"reflect"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

// loop is a range.
func (e *tmplExec) loop(dot mirror.Val, n *parse.RangeNode) control {
	mark := e.mark()
	end := e.rounds(dot, n)
	e.pop(mark)
	return end
}

func (e *tmplExec) rounds(dot mirror.Val, n *parse.RangeNode) control {
	v, _ := indirect(e.m, e.pipeline(dot, n.Pipe))
	mark := e.mark()
	ran, left := false, goOn
	// once runs the body and reports whether to go on.
	once := func(index, elem mirror.Val) bool {
		e.m.Tick()
		ran = true
		e.iteration(n.Pipe, index, elem)
		c := e.walk(elem, n.List)
		e.pop(mark)
		if c == breakLoop {
			left = breakLoop
		}
		return c != breakLoop
	}
	e.m.InLane(func() { e.over(n, v, once) })
	if !ran && left == goOn && n.ElseList != nil {
		return e.walk(dot, n.ElseList)
	}
	return goOn
}

// iteration sets the variables of a range.
func (e *tmplExec) iteration(p *parse.PipeNode, index, elem mirror.Val) {
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
func (e *tmplExec) over(n *parse.RangeNode, v mirror.Val, once func(index, elem mirror.Val) bool) {
	two := len(n.Pipe.Decl) > 1
	switch k := v.Kind(); {
	case k == reflect.Invalid:
	case ir.IsInteger(v.T):
		if two {
			e.errorf("can't use %v to iterate over more than one variable", told(e.m, v))
		}
		e.overInt(v, once)
	case k == reflect.Array || k == reflect.Slice:
		for i := 0; i < v.Len() && once(mirror.ValOf(e.m, i), v.Index(e.m, i)); i++ {
		}
	case k == reflect.Map:
		for _, x := range v.Entries(e.m) {
			if !once(x.Key, x.Elem) {
				break
			}
		}
	case k == reflect.Chan:
		e.overChan(v, once)
	case k == reflect.Func && e.iterates(v) == 1:
		if two {
			e.errorf("can't use %v iterate over more than one variable", told(e.m, v))
		}
		e.overFunc(v, func(in []mirror.Val) bool { return once(mirror.Val{}, in[0]) })
	case k == reflect.Func && e.iterates(v) == 2:
		e.overFunc(v, func(in []mirror.Val) bool {
			if two {
				return once(in[0], in[1])
			}
			return once(mirror.Val{}, in[0])
		})
	default:
		e.errorf("range can't iterate over %v", told(e.m, v))
	}
}

func (e *tmplExec) overInt(v mirror.Val, once func(index, elem mirror.Val) bool) {
	for i := int64(0); lessInt(v.T, i, v.Int()); i++ {
		x := mirror.ZeroOf(v.T)
		x.SetInt(i)
		if !once(mirror.Val{}, x) {
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

func (e *tmplExec) overChan(v mirror.Val, once func(index, elem mirror.Val) bool) {
	if v.IsNil() {
		return
	}
	if v.T.T.Underlying().(*types.Chan).Dir() == types.SendOnly {
		e.errorf("range over send-only channel %v", told(e.m, v))
	}
	c, ok := v.Ref().(*exec.Chan)
	if !ok {
		e.errorf("range can't iterate over %v", told(e.m, v))
	}
	for i := 0; ; i++ {
		val, ok := receive(e.m, c)
		if !ok || !once(mirror.ValOf(e.m, i), mirror.Val{T: c.Elem, O: val}) {
			return
		}
	}
}

// receive takes a value from a channel, and lets other tasks run until there is one.
func receive(m *exec.Machine, c *exec.Chan) (*ir.Obj, bool) {
	t, n := m.T, c.Elem.W()
	val := ir.NewObj(n, ir.BankI|ir.BankS|ir.BankR, 1)
	if ok, done := m.TryRecv(c, val, 0); done {
		return val, ok
	}
	shift := m.ShiftAt(t.Pc)
	m.Room(shift + n + 1)
	at := t.Base + shift // where a callee would have its window
	c.Recvq.Push(t.Waits(c, 0, at, at+n))
	t.Parked, t.WaitFor = true, "chan receive"
	m.Block()
	m.View()
	exec.RawCopy(c.Elem.Cells, val, 0, &ir.Obj{I: t.I, S: t.S, R: t.R}, at)
	return val, t.I[at+n] != 0
}

// iterates is the number of values that a function yields which is an iterator.
func (e *tmplExec) iterates(v mirror.Val) int {
	sig := signatureOf(e.m, v.T)
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
func signatureOf(m *exec.Machine, t *ir.Type) *types.Signature {
	return t.T.Underlying().(*types.Signature)
}

// overFunc calls an iterator with a yield that calls once. A failure within it ends
// the iteration first: the iterator is on the stack of the script.
func (e *tmplExec) overFunc(v mirror.Val, once func(in []mirror.Val) bool) {
	c := mirror.Function(e.m, v)
	yield := e.m.TypeOf(c.Sig.Params().At(0).Type())
	params := e.m.TypeOf(signatureOf(e.m, yield).Params())
	var failed *tmplFailure
	body := func(in ...any) bool {
		if failed != nil {
			return false
		}
		args := make([]mirror.Val, len(in))
		for i, a := range in {
			args[i] = unwrapped1(e.m, a, params.Fields[i].Typ)
		}
		return e.tried(func() bool { return once(args) }, &failed)
	}
	y := mirror.ZeroOf(yield)
	y.SetRef(&ir.Closure{Host: hostYield(len(params.Fields), body), Sig: yield})
	mirror.Call(e.m, c, []mirror.Val{y})
	if failed != nil {
		panic(*failed)
	}
}

// unwrapped1 is a value of type t that came by the way of the host.
func unwrapped1(m *exec.Machine, a any, t *ir.Type) mirror.Val {
	a = exec.HostIface(a)
	if t.Kind == reflect.Interface {
		v := mirror.ZeroOf(t)
		v.SetRef(a)
		return v
	}
	return mirror.ValOf(m, a)
}

// tried calls f, and keeps its failure.
func (e *tmplExec) tried(f func() bool, failed **tmplFailure) (more bool) {
	node := e.node
	defer e.caught(Run(e.m).levels, func(err error) { *failed, more, e.node = &tmplFailure{err}, false, node })
	more = f()
	e.node = node
	return more
}

// hostYield is body as a function with n parameters, 1 or 2.
func hostYield(n int, body func(...any) bool) reflect.Value {
	if n == 1 {
		return reflect.ValueOf(func(a any) bool { return body(a) })
	}
	return reflect.ValueOf(func(a, b any) bool { return body(a, b) })
}
