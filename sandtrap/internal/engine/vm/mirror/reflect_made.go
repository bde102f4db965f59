package mirror

import (
	"go/types"
	"reflect"
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
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
func made(m *exec.Machine) *runTypes {
	r, _ := m.Reflected.(*runTypes)
	if r == nil {
		r = &runTypes{}
		m.Reflected = r
	}
	return r
}

const infoBytes = 1 << 10

// ptrTo is the type of pointers to t.
func ptrTo(m *exec.Machine, t *ir.Type) *ir.Type {
	i := info(m, t)
	if i.pointer != nil {
		return i.pointer
	}
	r := made(m)
	p := r.pointers[t]
	if p == nil {
		if r.pointers == nil {
			r.pointers = map[*ir.Type]*ir.Type{}
		}
		p = m.TypeOf(types.NewPointer(t.T))
		r.pointers[t] = p
	}
	return p
}

// info is that of t. It is kept with the program, unless it tells of types that are
// not of the program.
func info(m *exec.Machine, t *ir.Type) *typeInfo {
	r := made(m)
	if i, ok := r.infos[t]; ok {
		return i
	}
	if i, ok := m.P.Infos.Load(t); ok {
		return i.(*typeInfo)
	}
	i := &typeInfo{t: t, pointer: m.P.Types.Find(types.NewPointer(t.T))}
	if owns(m.P, t) && !partOfHost(t, nil) && !promotesMany(t) {
		kept, _ := m.P.Infos.LoadOrStore(t, i)
		return kept.(*typeInfo)
	}
	if r.infos == nil {
		r.infos = map[*ir.Type]*typeInfo{}
	}
	m.Charge(infoBytes)
	r.infos[t] = i
	return i
}

// promotesMany reports a struct with so many fields of embedded ones that what is found out about it is not for the
// program to keep.
func promotesMany(t *ir.Type) bool {
	if t.Kind != reflect.Struct || !slices.ContainsFunc(t.Fields, func(f ir.Field) bool { return f.Embedded }) {
		return false
	}
	_, noted := t.InVars()
	return !noted
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
