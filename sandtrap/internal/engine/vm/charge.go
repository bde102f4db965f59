package vm

import (
	"reflect"
	"weak"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/weaktext"
)

// What an allocation costs, in bytes. The figures are those of the structures in
// object.go, rounded up to what the allocator hands out.
const (
	ifaceBytes  = 48
	nativeBytes = inspect.HeldBytes
	deferBytes  = 192
	noteBytes   = inspect.NoteBytes
	waitBytes   = 128
	rowBytes    = 28 // a row of a map beside its cells: index and mark
	textRow     = 14 // more of it, where the index is not by number
	mapBytes    = 320
	chanBytes   = 160
	taskBytes   = 512
	panicBytes  = 1 << 10 // with its trace
	errorBytes  = 64      // the value of a runtime error, which may be kept
	timerBytes  = 96
	driverBytes = 16 << 10    // with the stack of its goroutine
	backBytes   = 8 << 10     // of the stack, that frames of the host under a callback take
	cellBytes   = 8 + 16 + 16 // a cell of a stack, in all banks
	frameBytes  = 8

	chargeStep = 16 << 10 // the meter hears of allocations in such steps
)

// charge pays for n bytes that cannot be followed before they are allocated.
func (m *machine) charge(n int64) {
	m.owe(n)
	m.seam.live.loose += n
}

// alloc pays for n bytes of an object before it is allocated. A call of follow with
// that object comes next.
func (m *machine) alloc(n int64) {
	m.owe(n)
	m.seam.live.count(n)
}

func (m *machine) owe(n int64) {
	m.seam.owed += n
	if m.seam.owed >= chargeStep {
		m.pay()
	}
}

// pay tells the meter what was allocated since it last heard.
func (m *machine) pay() {
	n := m.seam.owed
	m.seam.owed = 0
	m.seam.live.tell(0)
	if stop := m.seam.Meter.Charge(n); stop != nil {
		m.halt(&stopped{gate: stop})
	}
}

// chargeMade pays for n bytes that a call of the host has made, where the call has not
// paid for them itself.
func (m *machine) chargeMade(n int64) {
	n -= m.paidFor(n)
	m.seam.live.loose += n
	m.payMade(n)
}

// textMade does it for a text, and returns the one to go on with.
func (m *machine) textMade(s string) string {
	n := ir.Allocated(int64(len(s)))
	paid := m.paidFor(n)
	s = m.seam.live.returned(s, n, paid)
	m.payMade(n - paid)
	return s
}

// paidFor is how many of n bytes the call of the host has paid for itself.
func (m *machine) paidFor(n int64) int64 {
	paid := min(n, m.seam.live.hosts-m.seam.before)
	m.seam.before += paid
	return paid
}

func (m *machine) payMade(n int64) {
	if n <= 0 {
		return
	}
	m.seam.live.tell(0)
	if stop := m.seam.Meter.Made(n); stop != nil {
		m.halt(&stopped{gate: stop})
	}
}

// refuseHuge ends the run for a make that no memory limit allows, where Go would
// say that there is no such length.
func (m *machine) refuseHuge(n int64, elem *ir.Type) {
	limit := m.seam.Meter.Limits().Memory
	if limit <= 0 || n <= 0 || elem.W() == 0 {
		return
	}
	const uncountable = 1 << 62
	size := int64(uncountable)
	if n <= uncountable/ir.StoreBytes(elem, 1) {
		size = ir.StoreBytes(elem, n)
	}
	switch {
	case size > limit:
		m.charge(size)
	case n > maxElems:
		m.charge(uncountable)
	}
}

// follow tells where the allocation is that was paid for last. Another pointer that
// lives as long does as well.
func follow[T any](m *machine, p *T) *T {
	if m.seam.live.weight > 0 {
		l := m.seam.live
		l.add(sample{at: ref[T]{weak.Make(p)}, weight: l.weight})
	}
	return p
}

// sampling says that the allocation that was paid for last is in the sample.
func (m *machine) sampling() bool { return m.seam.live.weight > 0 }

// text is b as a string, followed if it is in the sample. Nobody writes to b any more.
func (m *machine) text(b []byte) string {
	if len(b) == 0 {
		m.seam.live.weight = 0
		return ""
	}
	s, at := weaktext.Own(b)
	if l := m.seam.live; l.weight > 0 {
		l.add(sample{at: ref[byte]{at}, weight: l.weight})
	}
	return s
}

// followAny is follow for a store or an aggregate. Of a store it is the array that is followed:
// the host may hold that without the store.
func (m *machine) followAny(v any) any {
	if m.seam.live.weight == 0 {
		return v
	}
	switch v := v.(type) {
	case *ir.Obj:
		follow(m, v)
	case *ir.Num[uint8]:
		followArray(m, v, v.V)
	case *ir.Num[int]:
		followArray(m, v, v.V)
	case *ir.Strs:
		followArray(m, v, v.V)
	default:
		m.followAt(v)
	}
	return v
}

// followArray follows the array of a store.
func followArray[S, T any](m *machine, store *S, list []T) {
	if cap(list) < tiny {
		follow(m, store)
		return
	}
	follow(m, &list[:1][0])
}

// followAt follows an array that has no type here, or a struct of the host.
func (m *machine) followAt(v any) {
	l, at := m.seam.live, reflect.ValueOf(v)
	if _, ok := v.(ir.Mem); ok {
		at = storeSlice(v)
	}
	if at.Kind() == reflect.Slice && at.Cap() == 0 || at.Type().Elem().Size() == 0 {
		l.weight = 0
		return
	}
	l.add(sample{at: ref[byte]{weaktext.At(at.UnsafePointer())}, weight: l.weight})
}
