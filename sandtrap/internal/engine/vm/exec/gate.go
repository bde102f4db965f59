package exec

import (
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/heap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Gate calls the bound value of a gate by reflection.
func Gate(m *Machine, x *ir.SlowOp) {
	f := m.Host.Bind[x.N]
	in := m.Arguments(f.Type(), x)
	m.calledBody(f, m.bodyOf(x.N), x, in)
	clear(in[:cap(in)])
	m.spareIn = in // nobody keeps it
}

// bodyOf is the body of the bound value of a gate, nil if that is not known.
func (m *Machine) bodyOf(slot int64) gates.Body {
	if list := m.Host.Bodies; slot < int64(len(list)) {
		return list[slot]
	}
	return nil
}

func (m *Machine) Arguments(ft reflect.Type, x *ir.SlowOp) []reflect.Value {
	m.Crossing, m.noting = Crossing{Sharing: x.Shares, Keeping: !x.Shares && !x.Prints}, x.Prints
	m.copiedBytes = -m.Host.Live.Loose
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	in := m.spareIn
	if m.spareIn = nil; cap(in) <= len(x.Regs) {
		in = make([]reflect.Value, 0, len(x.Regs)+1) // with room for a context
	}
	in = in[:len(x.Regs)]
	for i, r := range x.Regs {
		if c, ok := m.R[r].(*ir.Closure); ok && x.Inside && c != nil && c.Fn != nil && ft.In(i).Kind() == reflect.Func {
			in[i] = funcInside(m, c, x.Types[i], ft.In(i))
			continue
		}
		if in[i] = ToHost(m, x.Types[i], w, r, ft.In(i)); x.Shares {
			m.WantEnd(in[i], 0, 0)
		}
	}
	m.noting = false
	m.copiedBytes += m.Host.Live.Loose
	return in
}

// Called calls f and puts the results in their registers.
func (m *Machine) Called(f reflect.Value, x *ir.SlowOp, in []reflect.Value) {
	m.calledBody(f, nil, x, in)
}

// calledBody is called for a function with a body, if it has one.
func (m *Machine) calledBody(f reflect.Value, body gates.Body, x *ir.SlowOp, in []reflect.Value) {
	m.Entering()
	m.Given(x)
	made := m.copiedBytes
	res := m.CallHost(f, body, in, x.Ok)
	if x.Prints { // the copies are garbage
		m.Host.Live.Loose = max(0, m.Host.Live.Loose-made)
	}
	m.noted, m.places = nil, nil
	if m.ToScriptSide(); m.Stop != nil {
		return // without a panic: the loop sees it
	}
	m.Ended()
	m.View()
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	for i, v := range res {
		field := x.T.Fields[i]
		k := x.A + field.Off
		if v.Kind() == reflect.String {
			w.S[k] = m.TextMade(v.String())
			continue
		}
		if v.Kind() == reflect.Interface && field.Typ.Kind == reflect.Interface { // an error, in most calls none
			m.valueMade(w, k, v)
			continue
		}
		m.ChargeMade(MadeBytes(v))
		FromHost(m, v, field.Typ, w, k)
	}
}

// valueMade puts a result in register k that the host has in an interface.
func (m *Machine) valueMade(w *ir.Obj, k int, v reflect.Value) {
	if w.R[k] = nil; v.IsNil() {
		m.ChargeMade(IfaceBytes)
		return
	}
	made := v.Interface()
	m.ChargeMade(AnyBytes(made))
	w.R[k] = IfaceFromHost(m, made)
}

const (
	GivenFree = 64 << 10                // bytes that a call of the host may be given without being asked for its time
	givenTime = 5 * time.Nanosecond / 2 // for each more: what is slower has a price of its own
)

// Given asks for the time that the host takes to look at each byte it is given.
func (m *Machine) Given(x *ir.SlowOp) {
	n := int64(0)
	for i, r := range x.Regs {
		switch t := x.Types[i]; t.Kind {
		case reflect.String:
			n += int64(len(m.S[r]))
		case reflect.Slice:
			n += ir.StoreBytes(t.Elem, m.I[r])
		case reflect.Interface:
			if s, ok := m.R[r].(string); ok {
				n += int64(len(s))
			}
		}
	}
	m.afford(n)
}

// afford asks for the time that the host takes to look at each of n bytes.
func (m *Machine) afford(n int64) {
	if n <= GivenFree {
		return
	}
	if stop := m.Host.Meter.Afford(time.Duration(n) * givenTime); stop != nil {
		m.Halt(&Stopped{Gate: stop})
	}
}

// MadeBytes is what a result of the host holds, as far as it shows.
func MadeBytes(v reflect.Value) int64 {
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len())
	case reflect.Slice:
		return int64(v.Cap()) * int64(v.Type().Elem().Size())
	case reflect.Map:
		return int64(v.Len()) * entryBytes(v.Type())
	case reflect.Interface:
		return AnyBytes(v.Interface())
	case reflect.Pointer:
		return behindBytes(v)
	}
	return 0
}

// AnyBytes is MadeBytes for a value in an interface.
func AnyBytes(v any) int64 {
	switch v := v.(type) {
	case nil:
		return IfaceBytes
	case error:
		return ErrorHeld(v)
	}
	return behindBytes(reflect.ValueOf(v))
}

// behindBytes is what a pointer, or another value that an interface holds, leads to.
func behindBytes(v reflect.Value) int64 {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return IfaceBytes
	}
	return max(IfaceBytes, int64(v.Type().Elem().Size()))
}

// ErrorHeld is what an error holds, with the texts in it, which may be copies.
func ErrorHeld(e error) int64 {
	v := reflect.ValueOf(e)
	n := behindBytes(v)
	if v = reflect.Indirect(v); v.Kind() != reflect.Struct {
		return n
	}
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.String {
			n += int64(f.Len())
		}
	}
	return n
}

// entryBytes is what an entry of a map of the host's takes.
func entryBytes(rt reflect.Type) int64 {
	return int64(rt.Key().Size()+rt.Elem().Size()) + rowBytes
}

// Returns ends a call after which nothing is to be looked at.
func (m *Machine) Returns() {
	m.AtHost = false
	m.Live.Ahead.Base = heap.NoCall
	m.ToScriptSide()
}

// Failed is the result of what the engine does itself, of type error.
func (m *Machine) Failed(k int, err error) {
	m.Returns()
	m.SetError(k, err)
}

func (m *Machine) SetError(k int, err error) {
	if err != nil {
		m.R[k] = HostIface(err)
	} else if m.R[k] != nil { // writing a pointer costs more than reading it
		m.R[k] = nil
	}
}

// HostMethod calls a method of the host's that a struct of the script promotes.
// The first register is the receiver.
func HostMethod(m *Machine, x *ir.SlowOp) {
	recv := x.Types[0].Host
	f := m.Method(recv, x.S)
	m.Called(f, x, m.Arguments(f.Type(), x))
}

// hostMethod is method id of a host value in an interface.
func (m *Machine) hostMethod(v any, id int) *ir.Closure {
	of := m.P.MethodIDs[id]
	f := m.Method(reflect.TypeOf(v), of.Fn.Name())
	return &ir.Closure{Host: f, Recv: reflect.ValueOf(v), Sig: of.Sig}
}

type methodKey struct {
	recv reflect.Type
	name string
}

// Method is what the method of a host type is for this run. A type that the policy
// does not know came to the script as some interface; which of its methods the script
// may name was decided where it was turned into another one.
func (m *Machine) Method(recv reflect.Type, name string) reflect.Value {
	key := methodKey{recv, name}
	if f, ok := m.methods[key]; ok {
		return f
	}
	if f := Above.ReflectMethod(m, recv, name); f.IsValid() {
		ir.SetIn(&m.methods, key, f)
		return f
	}
	f, err := m.Host.Method(recv, name)
	if err == nil && !f.IsValid() {
		own, ok := recv.MethodByName(name)
		if !ok {
			ThrowPlain("no method %s on %s", name, recv)
		}
		f = own.Func
	}
	if err != nil {
		ThrowPlain("the method %s of %s is not for scripts", name, recv)
	}
	if m.methods == nil {
		m.methods = map[methodKey]reflect.Value{}
	}
	m.methods[key] = f
	return f
}

// Crossing is how things go to the host in the call that is under way. What the host calls
// back has calls of its own.
type Crossing struct {
	Sharing bool                 // it may keep what it gets, as one memory with the script
	Keeping bool                 // it is of the library: it keeps a value for the script, or looks at it
	noted   []copyNote           // what it got copies of
	places  map[uintptr]copyNote // those, by where the copies are, once one is asked for
}

// A copyNote is what the host gets a copy of to print: that has a place of its own, and is to
// be shown with the one of the store it was made from. Most are not shown with a place at
// all, so none is given before it is asked for.
type copyNote struct {
	to    uintptr
	store any
	off   uint64 // bytes
}

func (m *Machine) note(to reflect.Value, store any, off uint64) {
	if m != nil && m.noting {
		m.noted = append(m.noted, copyNote{to.Pointer(), store, off})
	}
}

// noteSlice is note for the elements of a store from off on.
func (m *Machine) noteSlice(to reflect.Value, t *ir.Type, store any, off int) {
	m.note(to, store, uint64(off*t.Elem.W())*cellRoom)
}
