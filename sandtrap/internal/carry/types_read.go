package carry

import (
	"go/token"
	"reflect"
	"sync"
)

// Types that are made at run time are never freed, so there is an end to how many the
// other side can have this one make: its later values are refused.
const (
	maxKnown = 4 << 10  // types
	maxBytes = 16 << 10 // of one, as it is written
)

// A knownType is one that was read, by its bytes and the types that these number.
type knownType struct {
	text    string
	handles reflect.Type // nil if there are none
	structs *Types       // likewise
}

var known = struct {
	sync.Mutex
	types map[knownType]reflect.Type
}{types: map[knownType]reflect.Type{}}

// typ reads a type.
func (r *reader) typ() reflect.Type {
	ahead := *r
	ahead.skip()
	text := r.data[:len(r.data)-len(ahead.data)]
	if len(text) > maxBytes {
		fail("a type of %d bytes", len(text))
	}
	key := knownType{text: string(text)}
	if r.handles != nil {
		key.handles, key.structs = r.handles.typ, r.handles.structs()
	}
	known.Lock()
	defer known.Unlock()
	if t := known.types[key]; t != nil {
		r.data = ahead.data
		return t
	}
	if len(known.types) >= maxKnown {
		fail("one type more than the %d that this process makes", maxKnown)
	}
	t := r.part()
	known.types[key] = t
	return t
}

// skip passes over an item, of those that types are made of.
func (r *reader) skip() {
	r.enter()
	defer r.leave()
	switch major, n := r.head(); major {
	case majorUint:
	case majorText:
		r.take(n)
	case majorArray:
		for range n {
			r.skip()
		}
	default:
		fail("a type with an item of type %d", major)
	}
}

// part reads a type that is not known yet, or one within it.
func (r *reader) part() reflect.Type {
	r.enter()
	defer r.leave()
	if r.parts++; r.parts > maxTypes {
		fail("a type of too many parts")
	}
	n := r.count()
	if n == 0 {
		fail("a type of nothing")
	}
	switch kind := r.want(majorUint); {
	case kind == typeName && n == 2:
		i := r.want(majorUint)
		if i >= uint64(len(names)) {
			fail("a type of number %d", i)
		}
		if names[i] != reflect.TypeFor[handle]() {
			return names[i]
		}
		if r.handles == nil {
			fail("a handle, of which there are none")
		}
		return r.handles.typ
	case kind == typeHost && n == 2:
		i, structs := r.want(majorUint), r.handles.structs()
		if structs == nil || i >= uint64(len(structs.list)) {
			fail("a struct type of number %d", i)
		}
		return structs.list[i].typ
	case kind == typeFunc && n >= 3:
		return r.signature(n - 1)
	case kind == typeSlice && n == 2:
		return reflect.SliceOf(r.part())
	case kind == typePointer && n == 2:
		return reflect.PointerTo(r.part())
	case kind == typeArray && n == 3:
		length := r.want(majorUint)
		elem := r.part()
		if length > uint64(len(r.data)) {
			fail("an array of %d elements that are not there", length)
		}
		return reflect.ArrayOf(int(length), elem)
	case kind == typeMap && n == 3:
		key := r.part()
		if !key.Comparable() {
			fail("a map with keys of type %v", key)
		}
		return reflect.MapOf(key, r.part())
	case kind == typeStruct && n%3 == 1:
		return r.structType(n / 3)
	}
	fail("a type of an unknown kind")
	return nil
}

func (r *reader) structType(n int) reflect.Type {
	fields := make([]reflect.StructField, n)
	seen := map[string]bool{}
	for i := range fields {
		name := string(r.take(r.want(majorText)))
		if !isExported(name) || seen[name] {
			fail("a field %q", name)
		}
		seen[name] = true
		fields[i] = reflect.StructField{Name: name, Type: r.part(), Tag: reflect.StructTag(r.take(r.want(majorText)))}
	}
	return reflect.StructOf(fields)
}

// isExported says whether the name is one that an exported field can have.
func isExported(name string) bool {
	return token.IsExported(name) && token.IsIdentifier(name) && len(name) < 1<<10
}
