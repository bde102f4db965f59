package exec

import (
	"encoding/binary"
	"hash/maphash"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func normFloat(f float64) any {
	if f == 0 {
		return float64(0)
	}
	return f
}

// MapKey gives a comparable Go value that is equal for equal keys.
func MapKey(p *Recursion, t *ir.Type, b Bank, k int) any {
	switch t.Kind {
	case reflect.Float32, reflect.Float64:
		if p.exactly() {
			return b.I[k]
		}
		return normFloat(ir.BitsFloat(b.I[k]))
	case reflect.Complex64, reflect.Complex128:
		if p.exactly() {
			return pairKey{b.I[k], b.I[k+1]}
		}
		return complex(ir.BitsFloat(b.I[k]), ir.BitsFloat(b.I[k+1]))
	case reflect.String:
		return p.textKey(b.S[k])
	case reflect.Pointer, reflect.UnsafePointer:
		if b.R[k] == nil {
			return nil
		}
		i := b.I[k]
		if t.W() == 2 {
			i = b.I[k+1] >> 32
		}
		return ptrKey{b.R[k], i}
	case reflect.Interface:
		return ifaceKey(p, b.R[k])
	case reflect.Map, reflect.Chan, reflect.Func:
		return b.R[k]
	case reflect.Struct:
		if t.Agg {
			b, k = AsObj(t, b.R[k]), 0
		}
		var keys []any
		for _, f := range t.Fields {
			if f.Name != "_" {
				keys = append(keys, MapKey(p, f.Typ, b, k+f.Off))
			}
		}
		return joinKeys(keys)
	case reflect.Array:
		keys := make([]any, t.N)
		st := b.R[k]
		if st == nil {
			st = NewAgg(t)
		}
		for i := range t.N {
			p.step()
			keys[i] = MapKey(p, t.Elem, ElemCells(t.Elem, st, i), 0)
		}
		return joinKeys(keys)
	case ir.KindHost:
		return p.hashable(HostDeref(t, b.R[k]))
	case reflect.Slice:
		panic("vm: slice as key")
	}
	return b.I[k]
}

// hashable is a value of the host's as a key.
func (p *Recursion) hashable(v reflect.Value) any {
	if !v.Comparable() {
		p.unhashable(p.nameOf(v.Interface()))
	}
	return v.Interface()
}

// unhashable panics for a key with something of a type that has no equality.
func (p *Recursion) unhashable(name string) {
	if p != nil && p.Absent {
		ThrowPlain("hash of unhashable type: %s", name)
	}
	Throwf("hash of unhashable type %s", name)
}

type (
	ptrKey struct {
		r any
		i int64
	}
	pairKey  struct{ a, b any }
	TypedKey struct {
		T *ir.Type
		K any
	}
)

// joinKeys makes one key of many, as a tree: hashing goes down it on the Go stack.
func joinKeys(keys []any) any {
	switch n := len(keys); n {
	case 0:
		return nil
	case 1:
		return keys[0]
	default:
		return pairKey{joinKeys(keys[:n/2]), joinKeys(keys[n/2:])}
	}
}

func ifaceKey(p *Recursion, v any) any {
	f, ok := v.(*Iface)
	if !ok {
		switch v := v.(type) {
		case nil:
			return nil
		case string:
			return p.textKey(v)
		}
		return p.hashable(reflect.ValueOf(v))
	}
	if bad := Uncomparable(f.T); bad != nil {
		p.unhashable(bad.Str)
	}
	p.in()
	key := TypedKey{f.T, MapKey(p, f.T, IfaceCells(f), 0)}
	p.out()
	return key
}

// longKey is how long the texts are that Go's maps get: hashing one, and comparing it with another
// that is equal, takes the host a good tenth of a millisecond, and nobody can stop that.
const longKey = 1 << 20

// keySeeds are of the two halves of the key of a longer text.
var keySeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// textKey is what a Go map has for the text s. The compiler inlines it: most keys are short.
func (p *Recursion) textKey(s string) string {
	if len(s) < longText {
		return s
	}
	return p.longTextKey(s)
}

func (p *Recursion) longTextKey(s string) string {
	if len(s) > longKey {
		return p.hashedKey(s)
	}
	p.read(len(s))
	return s
}

// hashedKey is a hash that is made in pieces. No script knows the seeds, and so none has another
// text that is, or has, the same key.
func (p *Recursion) hashedKey(s string) string {
	var h [2]maphash.Hash
	for i := range h {
		h[i].SetSeed(keySeeds[i])
	}
	key := binary.LittleEndian.AppendUint64(make([]byte, 0, 5*8), uint64(len(s)))
	for i := range h {
		key = binary.LittleEndian.AppendUint64(key, maphash.Comparable(keySeeds[i], len(s)))
	}
	for len(s) > 0 {
		k := min(len(s), Chunk)
		for i := range h {
			_, _ = h[i].WriteString(s[:k])
		}
		s = s[k:]
		p.read(k)
	}
	for i := range h {
		key = binary.LittleEndian.AppendUint64(key, h[i].Sum64())
	}
	return string(key)
}
