package carry

import (
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/made"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// Types are the types of a host that its worker has types of its own for: structs, and what else
// has a name in its packages. Both have them in the same order.
type Types struct {
	shown  func(reflect.Type) (Shown, error) // nil but while a host looks for those that its functions mention
	list   []*structType
	at     map[reflect.Type]int
	making map[reflect.Type]bool
	tied   map[reflect.Type]int // placeholders of the worker's that stand for types
	recursion
	known knownTypes                     // made of these
	wraps map[reflect.Type]reflect.Value // the host's functions that show values of scripts as interfaces
}

// A Shown is what of a type of the host's crosses.
type Shown struct {
	Name   string // a path, a dot and a name, which no other has
	Own    bool   // it is a member of the host's. Of others that are no structs the name does not cross
	Fields []int
	Denied []string // methods that are not for scripts
	Given  bool     // the host makes all values; a worker has what it was given
	Opaque bool     // scripts see nothing of it, except what errors say
}

// A structType is one of them. The worker's has the fields that cross, and no others of the
// host's.
type structType struct {
	typ    reflect.Type
	fields []int
	hides  bool // the host has more than these
	held   bool // it is for what is in an interface; in the host the values are of any type
	opaque bool // see Shown
	denied []string
	text   TypeText
}

// A TypeText is a type as the worker is told of it.
type TypeText struct {
	Name      string
	Shape     []byte // of what is no struct: the type without its name
	Hides     bool
	Given     bool // see Shown
	Fields    []FieldText
	Recursive []RecursiveText // that lead to it
}

// A FieldText is one of its fields.
type FieldText struct {
	Name, Tag string
	Embedded  bool
	Type      []byte
}

// NewTypes are the host's: those that EncodeFunc and Number come upon until Seal. Look says
// what there is to know of one, and shown what of it crosses.
func NewTypes[V any](look func(reflect.Type) V, shown func(V, int) (Shown, error)) *Types {
	t := &Types{at: map[reflect.Type]int{}, making: map[reflect.Type]bool{}, tied: map[reflect.Type]int{}}
	t.shown = func(rt reflect.Type) (Shown, error) { return shown(look(rt), len(t.list)) }
	return t
}

// Number is that of the type that v, a nil pointer, is for.
func (t *Types) Number(v any) (n int, err error) {
	rt := reflect.TypeOf(v).Elem()
	n, ok, err := t.number(rt, "", 0)
	if err == nil && !ok {
		err = &KindError{"", rt.String(), "cannot be copied between host and worker"}
	}
	return n, err
}

// Seal says that there will be no more.
func (t *Types) Seal() { t.shown = nil }

// Len is how many there are.
func (t *Types) Len() int { return len(t.list) }

// Text is that of the type with number n.
func (t *Types) Text(n int) TypeText { return t.list[n].text }

// Type is the type with number n.
func (t *Types) Type(n int) reflect.Type { return t.list[n].typ }

// MakeTypes makes the worker's.
func MakeTypes(texts []TypeText) (t *Types, err error) {
	defer caught(&err)
	t = &Types{at: map[reflect.Type]int{}, recursion: recursion{map[reflect.Type]reflect.Type{}, map[reflect.Type]reflect.Type{}}}
	for _, text := range texts {
		s := &structType{hides: text.Hides, text: text}
		if text.Shape != nil {
			s.typ = t.take(text)
			if _, _, err = t.append(s); err != nil {
				return nil, err
			}
			continue
		}
		var fields []reflect.StructField
		for i, f := range text.Fields {
			if !isExported(f.Name) {
				fail("a field %q", f.Name)
			}
			r := &reader{handles: &Handles{Objects: &Objects{types: t}}, data: f.Type}
			fields = append(fields, reflect.StructField{Name: f.Name, Type: r.typ(), Tag: reflect.StructTag(f.Tag), Anonymous: f.Embedded})
			s.fields = append(s.fields, i)
		}
		if s.typ, err = made.Struct(text.Name, fields, text.Hides); err != nil {
			return nil, err
		}
		if _, _, err = t.append(s); err != nil {
			return nil, err
		}
		t.resolve(s, text.Recursive)
	}
	return t, nil
}

// Nil is a nil pointer to the type with number n.
func (t *Types) Nil(n int) any { return reflect.Zero(reflect.PointerTo(t.list[n].typ)).Interface() }

// find is the one of a struct type, or nil.
func (t *Types) find(rt reflect.Type) *structType {
	if t == nil || rt.Kind() != reflect.Struct {
		return nil
	}
	if n, ok := t.at[rt]; ok {
		return t.list[n]
	}
	return nil
}

// number is that of a type; ok is false if it has none.
func (t *Types) number(rt reflect.Type, path string, depth int) (n int, ok bool, err error) {
	if t == nil {
		return 0, false, nil
	}
	if n, ok = t.at[rt]; ok || rt.PkgPath() == "" && !made.Is(rt) || t.shown == nil {
		return n, ok, nil
	}
	if rt.Kind() != reflect.Struct {
		return t.addNamed(rt, path)
	}
	if t.making[rt] {
		return 0, false, &KindError{path, rt.String(), "cannot be copied between host and worker: it holds itself"}
	}
	t.making[rt] = true
	defer delete(t.making, rt)
	return t.add(rt, path, depth)
}

// add adds a type, after those that it is made of.
func (t *Types) add(rt reflect.Type, path string, depth int) (n int, ok bool, err error) {
	shown, err := t.shown(rt)
	if err != nil {
		return 0, false, &KindError{path, rt.String(), err.Error()}
	}
	s := &structType{typ: rt, fields: shown.Fields, denied: shown.Denied, hides: len(shown.Fields) < made.NumField(rt), opaque: shown.Opaque}
	s.text = TypeText{Name: shown.Name, Hides: s.hides, Given: shown.Given}
	for _, i := range shown.Fields {
		f := rt.Field(i)
		text := FieldText{Name: f.Name, Tag: string(f.Tag), Embedded: f.Anonymous}
		if text.Type, err = t.handles().appendType(nil, f.Type, path+"."+f.Name, depth+1); err != nil {
			return 0, false, err
		}
		if t.hidesWithin(f.Type) {
			return 0, false, &KindError{path + "." + f.Name, f.Type.String(), "cannot be copied to the worker: it has fields that scripts may not see; pass a pointer"}
		}
		s.text.Fields = append(s.text.Fields, text)
	}
	delete(t.making, rt)
	if n, ok, err = t.append(s); err == nil {
		s.text.Recursive, err = t.recursiveOf(s, path)
	}
	return n, ok, err
}

func (t *Types) append(s *structType) (n int, ok bool, err error) {
	if len(t.list) >= maxTypes {
		return 0, false, fmt.Errorf("more than %d types", maxTypes)
	}
	t.at[s.typ] = len(t.list)
	t.list = append(t.list, s)
	return t.at[s.typ], true, nil
}

// hidesWithin reports that values of a type have parts, behind no pointer, that hide
// something: nobody could tell whether that has changed.
func (t *Types) hidesWithin(rt reflect.Type) bool {
	switch k := rt.Kind(); {
	case kinds.Composite.Has(k) && k != reflect.Struct:
		return t.hidesWithin(rt.Elem())
	case k == reflect.Struct:
		if s := t.find(rt); s != nil {
			return s.hides
		}
		if t.making[rt] { // it will be seen by its placeholder
			return false
		}
		for f := range rt.Fields() {
			if numbers[rt] == 0 && t.hidesWithin(f.Type) {
				return true
			}
		}
	}
	return false
}

// handles are for who writes types alone.
func (t *Types) handles() *Handles { return &Handles{Objects: &Objects{types: t}} }
