package vm

import (
	"go/types"
	"reflect"
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// runTypes are what a run knows of types beside what its program, which is
// immutable, does.
type runTypes struct {
	infos    map[*ir.Type]*typeInfo
	pointers map[*ir.Type]*ir.Type
	walks    sync.Map // *mapWalk by weak.Pointer[reflect.MapIter]
	paid     int      // types that were charged
	text     []byte   // to encode into
}

// made are those of m.
func (m *machine) made() *runTypes {
	r, _ := m.reflected.(*runTypes)
	if r == nil {
		r = &runTypes{}
		m.reflected = r
	}
	return r
}

const infoBytes = 1 << 10

// ptrTo is the type of pointers to t.
func (m *machine) ptrTo(t *ir.Type) *ir.Type {
	i := m.info(t)
	if i.pointer != nil {
		return i.pointer
	}
	r := m.made()
	p := r.pointers[t]
	if p == nil {
		if r.pointers == nil {
			r.pointers = map[*ir.Type]*ir.Type{}
		}
		p = m.typeOf(types.NewPointer(t.T))
		r.pointers[t] = p
	}
	return p
}

// info is that of t. It is kept with the program, unless it tells of types that are
// not of the program.
func (m *machine) info(t *ir.Type) *typeInfo {
	r := m.made()
	if i, ok := r.infos[t]; ok {
		return i
	}
	if i, ok := m.p.Infos.Load(t); ok {
		return i.(*typeInfo)
	}
	i := &typeInfo{t: t, pointer: m.p.Types.Find(types.NewPointer(t.T))}
	if owns(m.p, t) && !partOfHost(t, nil) {
		kept, _ := m.p.Infos.LoadOrStore(t, i)
		return kept.(*typeInfo)
	}
	if r.infos == nil {
		r.infos = map[*ir.Type]*typeInfo{}
	}
	m.charge(infoBytes)
	r.infos[t] = i
	return i
}

// owns reports that t was made when p was compiled.
func owns(p *ir.Program, t *ir.Type) bool {
	return p.Types.Find(t.T) == t || ir.Universe.Find(t.T) == t
}

// partOfHost reports that t is a struct of the host's, or embeds one.
func partOfHost(t *ir.Type, seen []*ir.Type) bool {
	if t.Kind == reflect.Pointer {
		t = t.Elem
	}
	if slices.Contains(seen, t) {
		return false
	}
	for _, f := range t.Fields {
		if f.Embedded && t.Kind == reflect.Struct && partOfHost(f.Typ, append(seen, t)) {
			return true
		}
	}
	return t.Kind == ir.KindHost
}
