package builtins

import (
	"encoding/xml"
	"hash/crc32"
	"hash/crc64"
	"reflect"
	"slices"
	"sort"
	"sync"
	"time"
	"unicode"

	"github.com/sandtrap-go/sandtrap/builtins/internal/std"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// behindShims is what the process shares and no variable of a row leads to: it comes from functions, or is
// what shims give copies of.
func behindShims() []any {
	return []any{
		crc32.MakeTable(crc32.Castagnoli), crc64.MakeTable(crc64.ISO), crc64.MakeTable(crc64.ECMA),
		time.Time{}.Location(),
		unicode.Categories, unicode.Scripts, unicode.Properties, unicode.FoldCategory, unicode.FoldScript,
		unicode.CategoryAliases, unicode.CaseRanges, unicode.GraphicRanges, unicode.PrintRanges,
		unicode.TurkishCase, unicode.AzeriCase,
		xml.HTMLEntity, xml.HTMLAutoClose,
	}
}

// sharedMemory is the memory that the curated rows lead to: all that a variable of package unicode,
// encoding/base64, io or another points to, at any depth. It is all of the process's, and of no run. It is
// found once: the rows, and what the packages of Go's library make when the program starts, stay as they are.
var sharedMemory = sync.OnceValue(func() *memory {
	m := &memory{seen: map[seenAt]bool{}}
	for _, p := range std.All {
		for i := range p.Members {
			if row := &p.Members[i]; isVariable(row) {
				m.add(reflect.ValueOf(row.Value))
			}
		}
	}
	for _, v := range behindShims() {
		m.add(reflect.ValueOf(v))
	}
	// Not looked into: whoever uses it first has Go read the host's time zone into it.
	m.span(reflect.ValueOf(time.Local).Pointer(), reflect.TypeFor[time.Location](), 1)
	m.join()
	return m
})

// A memory is a set of addresses, of things that are never freed.
type memory struct {
	spans []extent // sorted, once they are joined
	seen  map[seenAt]bool
}

type extent struct{ from, to uintptr }

type seenAt struct {
	at uintptr
	t  reflect.Type
	n  int
}

// add adds what v leads to.
func (m *memory) add(v reflect.Value) {
	if !m.enter(v) {
		return
	}
	for part := range kinds.Values(v) {
		m.add(part)
	}
}

// enter adds the variables that v, a reference, leads to; it reports that they, or the parts of another value, may lead on.
func (m *memory) enter(v reflect.Value) bool {
	k := v.Kind()
	switch {
	case kinds.Nilable.Has(k) && v.IsNil():
		return false
	case k == reflect.Pointer:
		return m.span(v.Pointer(), v.Type().Elem(), 1)
	case k == reflect.Slice:
		return m.span(v.Pointer(), v.Type().Elem(), v.Cap())
	case k == reflect.Map:
		if !m.once(v.Pointer(), v.Type(), 1) {
			return false
		}
		m.spans = append(m.spans, extent{v.Pointer(), v.Pointer() + 1})
	}
	return k != reflect.Array || leads(v.Type().Elem())
}

// leads reports a type whose values may lead to other memory.
func leads(t reflect.Type) bool {
	if t.Kind() != reflect.Array && t.Kind() != reflect.Struct {
		return kinds.Nilable.Has(t.Kind()) && !opaque.Has(t.Kind())
	}
	for part := range kinds.Parts(t) {
		if leads(part) {
			return true
		}
	}
	return false
}

// opaque are the kinds whose values lead to nothing that is seen.
var opaque = kinds.Of(reflect.Chan, reflect.Func, reflect.UnsafePointer)

// span adds n variables of type t, and reports whether they are new and may lead to others.
func (m *memory) span(at uintptr, t reflect.Type, n int) bool {
	if t.Size() == 0 || !m.once(at, t, n) {
		return false
	}
	m.spans = append(m.spans, extent{at, at + uintptr(n)*t.Size()})
	return leads(t)
}

func (m *memory) once(at uintptr, t reflect.Type, n int) bool {
	key := seenAt{at, t, n}
	was := m.seen[key]
	m.seen[key] = true
	return !was
}

// join sorts the spans and joins those that meet.
func (m *memory) join() {
	m.seen = nil
	sort.Slice(m.spans, func(i, j int) bool { return m.spans[i].from < m.spans[j].from })
	out := m.spans[:0]
	for _, s := range m.spans {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	m.spans = slices.Clip(out)
}

// holds reports an address in m.
func (m *memory) holds(at uintptr) bool {
	low, high := 0, len(m.spans)
	for low < high { // the first that ends behind it
		if i := (low + high) / 2; m.spans[i].to <= at {
			low = i + 1
		} else {
			high = i
		}
	}
	return low < len(m.spans) && m.spans[low].from <= at
}

// isVariable reports a row for a variable that is Go's own, and not made for each run.
func isVariable(m *Member) bool {
	v := reflect.ValueOf(m.Value)
	return !m.Deny && v.Kind() == reflect.Pointer && !v.IsNil() && !isShim(v.Type())
}
