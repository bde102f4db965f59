package vm

import (
	"go/types"
	"reflect"
	"slices"
	"sync"
)

// runTypes are what a run knows of types beside what its program, which is
// immutable, does.
type runTypes struct {
	infos    map[*Type]*typeInfo
	pointers map[*Type]*Type
	walks    sync.Map // *mapWalk by weak.Pointer[reflect.MapIter]
	paid     int      // types that were charged
	text     []byte   // to encode into
}

const infoBytes = 1 << 10

// ptrTo is the type of pointers to t.
func (m *machine) ptrTo(t *Type) *Type {
	i := m.info(t)
	if i.pointer != nil {
		return i.pointer
	}
	r := &m.made
	p := r.pointers[t]
	if p == nil {
		if r.pointers == nil {
			r.pointers = map[*Type]*Type{}
		}
		p = m.typeOf(types.NewPointer(t.t))
		r.pointers[t] = p
	}
	return p
}

// info is that of t. It is kept with the program, unless it tells of types that are
// not of the program.
func (m *machine) info(t *Type) *typeInfo {
	if i, ok := m.made.infos[t]; ok {
		return i
	}
	if i, ok := m.p.infos.Load(t); ok {
		return i.(*typeInfo)
	}
	i := &typeInfo{t: t, pointer: m.p.types.find(types.NewPointer(t.t))}
	if m.p.owns(t) && !partOfHost(t, nil) {
		kept, _ := m.p.infos.LoadOrStore(t, i)
		return kept.(*typeInfo)
	}
	if m.made.infos == nil {
		m.made.infos = map[*Type]*typeInfo{}
	}
	m.charge(infoBytes)
	m.made.infos[t] = i
	return i
}

// owns reports that t was made when p was compiled.
func (p *Program) owns(t *Type) bool { return p.types.find(t.t) == t || universe.find(t.t) == t }

// partOfHost reports that t is a struct of the host's, or embeds one.
func partOfHost(t *Type, seen []*Type) bool {
	if t.kind == reflect.Pointer {
		t = t.elem
	}
	if slices.Contains(seen, t) {
		return false
	}
	for _, f := range t.fields {
		if f.embedded && t.kind == reflect.Struct && partOfHost(f.typ, append(seen, t)) {
			return true
		}
	}
	return t.kind == kindHost
}
