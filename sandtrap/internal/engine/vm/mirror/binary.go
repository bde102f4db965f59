package mirror

import (
	gobinary "encoding/binary"
	"errors"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/binary"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Values of the script for encoding/binary. What they are as bytes is package
// binary's; what becomes of the bytes is the host function's part.

// DoBinarySize is binary.Size.
func DoBinarySize(m *exec.Machine, x *ir.SlowOp) {
	n := 0
	v := m.R[x.Regs[0]]
	own(m, func() {
		l := Lens(m)
		n = binary.Size(l, behind(l, v))
	})
	m.I[x.A] = int64(n)
}

// behind is what v holds, or what the pointer in it leads to.
func behind(l *lens, v any) inspect.Value {
	w := l.Of(v)
	if w != nil && w.Kind() == reflect.Pointer {
		return w.Elem()
	}
	return w
}

// sameBytes says that the host sees v as the script does: a number, or a slice of
// them. What a pointer of the host's leads to it does not: the script sees less of it.
func sameBytes(v any) bool {
	if f, ok := v.(*exec.Iface); ok {
		return f.T.Kind == reflect.Slice && f.T.Host != nil && ir.IsNative(f.T.Elem)
	}
	t := reflect.TypeOf(v)
	if t != nil && t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t == nil || ir.KindTypes[t.Kind()] != nil
}

// DoBinaryOut is a function that takes the value in its last parameter apart: the host
// gets the bytes in its place.
func DoBinaryOut(m *exec.Machine, x *ir.SlowOp) {
	data := m.R[x.Regs[2]]
	if sameBytes(data) {
		exec.Gate(m, x)
		return
	}
	f, in := binaryCall(m, x)
	var problem error
	own(m, func() {
		l := Lens(m)
		v := behind(l, data)
		n := binary.Size(l, v)
		if n < 0 {
			problem = errors.New(binaryName(x) + ": some values are not fixed-sized in type " + typeString(m, data))
			return
		}
		m.Charge(int64(n))
		b := make([]byte, n)
		binary.Encode(l, orderOf(in[1]), b, v)
		in[2].Set(reflect.ValueOf(b))
	})
	binaryDone(m, f, x, in, problem)
}

// DoBinaryIn is a function that stores through its last parameter: the host fills as
// many bytes as that has.
func DoBinaryIn(m *exec.Machine, x *ir.SlowOp) {
	data := m.R[x.Regs[2]]
	if sameBytes(data) {
		exec.Gate(m, x)
		return
	}
	f, in := binaryCall(m, x)
	var problem error
	var target inspect.Value
	var b []byte
	l := Lens(m)
	own(m, func() {
		v := l.Of(data)
		n := -1
		switch {
		case v != nil && v.Kind() == reflect.Pointer && !v.IsNil():
			target = v.Elem()
			n = binary.Size(l, target)
		case v != nil && v.Kind() == reflect.Slice:
			target = v
			n = binary.Size(l, v)
		}
		if n < 0 {
			problem = errors.New(binaryName(x) + ": invalid type " + typeString(m, data))
			return
		}
		m.Charge(int64(n))
		b = make([]byte, n)
		in[2].Set(reflect.ValueOf(b))
	})
	binaryDone(m, f, x, in, problem)
	failed := x.A + len(x.T.Cells) - 1 // the error is the last result
	if problem == nil && m.R[failed] == nil {
		own(m, func() { binary.Decode(l, orderOf(in[1]), b, target) })
	}
}

// binaryCall are the bound function and its arguments, of which the last one is
// replaced.
func binaryCall(m *exec.Machine, x *ir.SlowOp) (reflect.Value, []reflect.Value) {
	f := m.Host.Bind[x.N]
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	in := make([]reflect.Value, 3)
	for i, r := range x.Regs[:2] {
		in[i] = exec.ToHost(m, x.Types[i], w, r, f.Type().In(i))
	}
	in[2] = reflect.New(f.Type().In(2)).Elem()
	return f, in
}

// binaryDone calls the bound function, unless there is a problem, which is its error.
func binaryDone(m *exec.Machine, f reflect.Value, x *ir.SlowOp, in []reflect.Value, problem error) {
	if problem == nil {
		m.Called(f, x, in)
		return
	}
	for i, field := range x.T.Fields[:len(x.T.Fields)-1] {
		exec.FromHost(m, reflect.Zero(f.Type().Out(i)), field.Typ, &ir.Obj{I: m.I, S: m.S, R: m.R}, x.A+field.Off)
	}
	m.Failed(x.A+x.T.Fields[len(x.T.Fields)-1].Off, problem)
}

func binaryName(x *ir.SlowOp) string { return strings.TrimPrefix(x.S, "encoding/") }

func orderOf(v reflect.Value) gobinary.ByteOrder {
	order, ok := v.Interface().(gobinary.ByteOrder)
	if !ok {
		exec.ThrowNil()
	}
	return order
}

// typeString is the name of the type of what an interface holds.
func typeString(m *exec.Machine, v any) string {
	if w := ValOf(m, v); w.Valid() {
		return w.T.Str
	}
	return "<nil>"
}
