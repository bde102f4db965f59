package carry

import (
	"go/token"
	"reflect"
	"sync"

	"github.com/sandtrap-go/sandtrap/internal/made"
)

// Types that are made at run time are never freed, so there is an end to how many the
// other side can have this one make: its later values are refused.
const (
	maxKnown = 4 << 10  // types, of all that are read
	maxParts = 64 << 10 // that they are made of, and those that were none in the end
	maxBytes = 16 << 10 // of one, as it is written
	maxTexts = 4 << 20  // bytes of all that a read keeps
)

// A knownTypes is the types that were read, by their bytes. Those of a plan are kept with it.
type knownTypes struct {
	sync.Mutex
	types map[knownType]reflect.Type
	bytes int
}

type knownType struct {
	text    string
	handles reflect.Type // what handles are in it; nil if there are none
	direct  bool         // see reader
}

// known are those that no plan has a part in.
var known knownTypes

// allTypes are those of all, whoever has them.
var allTypes = struct {
	sync.Mutex
	types map[reflect.Type]bool
	parts int
}{types: map[reflect.Type]bool{}}

// typ reads a type.
func (r *reader) typ() reflect.Type {
	ahead := *r
	ahead.skip()
	text := r.data[:len(r.data)-len(ahead.data)]
	if len(text) > maxBytes {
		fail("a type of %d bytes", len(text))
	}
	k, key := &known, knownType{text: string(text), direct: r.direct}
	if r.handles != nil {
		key.handles = r.handles.typ
	}
	if structs := r.handles.structs(); structs != nil {
		k = &structs.known
	}
	k.Lock()
	defer k.Unlock()
	if t := k.types[key]; t != nil {
		r.data = ahead.data
		return t
	}
	if k.bytes += len(text); k.bytes > maxTexts {
		fail("types of more than %d bytes", maxTexts)
	}
	t := r.makeType()
	if k.types == nil {
		k.types = map[knownType]reflect.Type{}
	}
	k.types[key] = t
	return t
}

// makeType makes a type, if there may be one more.
func (r *reader) makeType() reflect.Type {
	allTypes.Lock()
	defer allTypes.Unlock()
	if len(allTypes.types) >= maxKnown || allTypes.parts >= maxParts {
		fail("one type more than the %d that this process makes", maxKnown)
	}
	before := r.made
	defer func() { allTypes.parts += r.made - before }()
	t := r.part()
	allTypes.types[t] = true
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

// maxBareArray bounds the bytes of an array in a type that no values follow, as in a struct of a policy.
const maxBareArray = 1 << 20

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
	kind := r.want(majorUint)
	if kind != typeName && kind != typeHost && kind != typeRecursive { // which are there
		r.made++
	}
	switch {
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
	case kind == typeRecursive && n == 2:
		i, structs := r.want(majorUint), r.handles.structs()
		if structs == nil || structs.stands == nil || i >= maxTypes || made.Recursive(int(i)) == nil {
			fail("a placeholder of number %d", i)
		}
		return made.Recursive(int(i))
	case kind == typeFunc && n >= 3:
		return r.signature(n - 1)
	case kind == typeSlice && n == 2:
		return r.placeholder(reflect.SliceOf(r.part()))
	case kind == typePointer && n == 2:
		return r.placeholder(reflect.PointerTo(r.part()))
	case kind == typeArray && n == 3:
		length := r.want(majorUint)
		elem := r.part()
		if length > uint64(len(r.data)) && length > maxBareArray/uint64(max(elem.Size(), 1)) {
			fail("an array of %d elements that are not there", length)
		}
		return reflect.ArrayOf(int(length), elem)
	case kind == typeMap && n == 3:
		key := r.part()
		if !key.Comparable() {
			fail("a map with keys of type %v", key)
		}
		return r.placeholder(reflect.MapOf(key, r.part()))
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

// placeholder is what stands for rt in the types of structs and functions. A value in an interface is of rt itself, as
// scripts write it.
func (r *reader) placeholder(rt reflect.Type) reflect.Type {
	if r.direct {
		return rt
	}
	return r.handles.structs().placeholder(rt)
}
