package exec

import (
	"reflect"
	"weak"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/heap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/weakstring"
)

// What an allocation costs, in bytes. The figures are those of the structures in
// object.go, rounded up to what the allocator hands out.
const (
	IfaceBytes    = 48
	NativeBytes   = inspect.HeldBytes
	DeferBytes    = 192
	NoteBytes     = inspect.NoteBytes
	WaitBytes     = 128
	rowBytes      = 28 // a row of a map beside its cells: index and mark
	textRow       = 14 // more of it, where the index is not by number
	MapBytes      = 320
	ChanBytes     = 160
	taskBytes     = 512
	panicBytes    = 1 << 10 // with its trace
	errorBytes    = 64      // the value of a runtime error, which may be kept
	timerBytes    = 96
	driverBytes   = 16 << 10    // with the stack of its goroutine
	callbackBytes = 8 << 10     // of the stack, that frames of the host under a callback take
	CellBytes     = 8 + 16 + 16 // a cell of a stack, in all banks
	frameBytes    = 8

	chargeStep = 16 << 10 // the meter hears of allocations in such steps
)

// Charge pays for n bytes that cannot be followed before they are allocated.
func (m *Machine) Charge(n int64) {
	m.ChargeLater(n)
	m.Host.Live.Loose += n
}

// Alloc pays for n bytes of an object before it is allocated. A call of follow with
// that object comes next.
func (m *Machine) Alloc(n int64) {
	m.ChargeLater(n)
	m.Host.Live.Count(n)
}

func (m *Machine) ChargeLater(n int64) {
	m.Host.owed += n
	if m.Host.owed >= chargeStep {
		m.chargeOwed()
	}
}

// chargeOwed tells the meter what was allocated since it last heard.
func (m *Machine) chargeOwed() {
	n := m.Host.owed
	m.Host.owed = 0
	m.Host.Live.Tell(0)
	if stop := m.Host.Meter.Charge(n); stop != nil {
		m.Halt(&Stopped{Gate: stop})
	}
}

// ChargeMade pays for n bytes that a call of the host has made, where the call has not
// paid for them itself.
func (m *Machine) ChargeMade(n int64) {
	n -= m.paidFor(n)
	m.Host.Live.Loose += n
	m.chargeMadeBy(n)
}

// TextMade does it for a text, and returns the one to go on with.
func (m *Machine) TextMade(s string) string {
	n := ir.Allocated(int64(len(s)))
	paid := m.paidFor(n)
	s = m.Host.Live.Returned(s, n, paid)
	m.chargeMadeBy(n - paid)
	return s
}

// paidFor is how many of n bytes the call of the host has paid for itself.
func (m *Machine) paidFor(n int64) int64 {
	paid := min(n, m.Host.Live.Hosts-m.Host.Before)
	m.Host.Before += paid
	return paid
}

func (m *Machine) chargeMadeBy(n int64) {
	if n <= 0 {
		return
	}
	m.Host.Live.Tell(0)
	if stop := m.Host.Meter.Made(n); stop != nil {
		m.Halt(&Stopped{Gate: stop})
	}
}

// RefuseHuge ends the run for a make that no memory limit allows, where Go would
// say that there is no such length.
func (m *Machine) RefuseHuge(n int64, elem *ir.Type) {
	limit := m.Host.Meter.Limits().Memory
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
		m.Charge(size)
	case n > MaxElems:
		m.Charge(uncountable)
	}
}

// Follow tells where the allocation is that was paid for last. Another pointer that
// lives as long does as well.
func Follow[T any](m *Machine, p *T) *T {
	if m.Host.Live.Weight > 0 {
		l := m.Host.Live
		l.Add(heap.Sample{At: heap.Ref[T]{Pointer: weak.Make(p)}, Weight: l.Weight})
	}
	return p
}

// Sampling says that the allocation that was paid for last is in the sample.
func (m *Machine) Sampling() bool { return m.Host.Live.Weight > 0 }

// Text is b as a string, followed if it is in the sample. Nobody writes to b any more.
func (m *Machine) Text(b []byte) string {
	if len(b) == 0 {
		m.Host.Live.Weight = 0
		return ""
	}
	s, at := weakstring.Own(b)
	if l := m.Host.Live; l.Weight > 0 {
		l.Add(heap.Sample{At: heap.Ref[byte]{Pointer: at}, Weight: l.Weight})
	}
	return s
}

// FollowAny is follow for a store or an aggregate. Of a store it is the array that is followed:
// the host may hold that without the store.
func (m *Machine) FollowAny(v any) any {
	if m.Host.Live.Weight == 0 {
		return v
	}
	switch v := v.(type) {
	case *ir.Obj:
		Follow(m, v)
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
func followArray[S, T any](m *Machine, store *S, list []T) {
	if cap(list) < heap.Tiny {
		Follow(m, store)
		return
	}
	Follow(m, &list[:1][0])
}

// followAt follows an array that has no type here, or a struct of the host.
func (m *Machine) followAt(v any) {
	l, at := m.Host.Live, reflect.ValueOf(v)
	if _, ok := v.(ir.Mem); ok {
		at = StoreSlice(v)
	}
	if at.Kind() == reflect.Slice && at.Cap() == 0 || at.Type().Elem().Size() == 0 {
		l.Weight = 0
		return
	}
	l.Add(heap.Sample{At: heap.Ref[byte]{Pointer: weakstring.At(at.UnsafePointer())}, Weight: l.Weight})
}
