package json

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// An info is what encoding/json wants to know of a type.
type info struct {
	// Methods that values have, and that pointers to them have, theirs among them.
	of, ofPtr methods

	leaf   bool         // without methods and parts
	fields inspect.Note // *fields, of a struct
}

// methods says which of the methods that encoding/json looks for there are.
type methods struct{ marshalJSON, marshalText, unmarshalJSON, unmarshalText, isZero bool }

var (
	goError  = types.Universe.Lookup("error").Type()
	textType = types.NewSlice(types.Typ[types.Byte])

	marshalSig   = signature(nil, []types.Type{textType, goError})
	unmarshalSig = signature([]types.Type{textType}, []types.Type{goError})
	isZeroSig    = signature(nil, []types.Type{types.Typ[types.Bool]})
)

func signature(in, out []types.Type) *types.Signature {
	tuple := func(list []types.Type) *types.Tuple {
		vars := make([]*types.Var, len(list))
		for i, t := range list {
			vars[i] = types.NewParam(0, nil, "", t)
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, tuple(in), tuple(out), false)
}

func methodsOf(t types.Type) methods {
	has := func(name string, want *types.Signature) bool {
		sig := inspect.Method(t, name)
		return sig != nil && types.Identical(sig, want)
	}
	return methods{
		has("MarshalJSON", marshalSig), has("MarshalText", marshalSig),
		has("UnmarshalJSON", unmarshalSig), has("UnmarshalText", unmarshalSig), has("IsZero", isZeroSig),
	}
}

func newInfo(t inspect.Type) *info {
	i := &info{of: methodsOf(t.Types())}
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		i.ofPtr = methodsOf(types.NewPointer(t.Types()))
	}
	i.leaf = isScalar(t.Kind()) && i.of == (methods{}) && i.ofPtr == (methods{})
	return i
}

// Marshals reports that values of t have a method MarshalJSON.
func Marshals(m inspect.Machine, t inspect.Type) bool {
	i := infos{m: m}
	return i.of(t).of.marshalJSON
}

// infos finds those of types. Most values have the type of the one before.
type infos struct {
	m    inspect.Machine
	t    inspect.Type
	last *info
}

func (s *infos) of(t inspect.Type) *info {
	if t != s.t {
		s.t, s.last = t, s.m.Notes(t).JSON.Get(func() any { return newInfo(t) }).(*info)
	}
	return s.last
}

// fields are those of t, a struct.
func (s *infos) fields(t inspect.Type) *fields {
	return s.of(t).fields.Get(func() any { return newFields(candidates(s.m, t)) }).(*fields)
}

// fields are the fields of a struct as encoding/json sees them.
type fields struct {
	list   []*field
	exact  map[string]*field
	folded map[string]*field
}

type field struct {
	name      string
	key, html string // with quotation marks and colon, as they are and safe for HTML
	tagged    bool
	path      []*inspect.Field // from the outermost struct, through pointers
	typ       inspect.Type
	omitEmpty bool
	omitZero  bool
	quoted    bool
}

// An embeddedStruct is one whose fields are to be looked at.
type embeddedStruct struct {
	t    inspect.Type
	path []*inspect.Field
}

// candidates are all fields at all depths, level by level; those of a type that
// occurs twice in a level, twice.
func candidates(m inspect.Machine, t inspect.Type) []*field {
	var found []*field
	visited := map[inspect.Type]bool{}
	level, times := []embeddedStruct{{t: t}}, map[inspect.Type]int{}
	for len(level) > 0 {
		var next []embeddedStruct
		nextTimes := map[inspect.Type]int{}
		for _, s := range level {
			if visited[s.t] {
				continue
			}
			visited[s.t] = true
			for _, f := range m.Fields(s.t) {
				path := append(slices.Clip(slices.Clone(s.path)), f)
				c, inner := newField(f, path)
				switch {
				case inner != nil:
					if nextTimes[inner]++; nextTimes[inner] == 1 {
						next = append(next, embeddedStruct{inner, path})
					}
				case c != nil:
					found = append(found, c)
					if times[s.t] > 1 {
						found = append(found, c)
					}
				}
			}
		}
		level, times = next, nextTimes
	}
	return found
}

// newField makes a field of f, or gives the struct whose fields count in its
// place; neither if f does not count.
func newField(f *inspect.Field, path []*inspect.Field) (c *field, inner inspect.Type) {
	ft := f.Type
	if ft.Kind() == reflect.Pointer && ft.Name() == "" {
		ft = ft.Elem()
	}
	if !f.Exported && (!f.Embedded || ft.Kind() != reflect.Struct) {
		return nil, nil
	}
	tag := reflect.StructTag(f.Tag).Get("json")
	if tag == "-" {
		return nil, nil
	}
	name, options, _ := strings.Cut(tag, ",")
	if !validName(name) {
		name = ""
	}
	if name == "" && f.Embedded && ft.Kind() == reflect.Struct {
		return nil, ft
	}
	c = &field{name: name, tagged: name != "", path: path, typ: f.Type}
	if name == "" {
		c.name = f.Name
	}
	options = "," + options + ","
	c.omitEmpty, c.omitZero = strings.Contains(options, ",omitempty,"), strings.Contains(options, ",omitzero,")
	c.quoted = strings.Contains(options, ",string,") && (ft.Kind() == reflect.String || ft.Kind() >= reflect.Bool && ft.Kind() <= reflect.Float64)
	b := jsontext.Buffer{}
	b.HTMLEscape([]byte(c.name))
	c.key, c.html = `"`+c.name+`":`, `"`+string(b.B)+`":`
	return c, nil
}

func validName(s string) bool {
	for _, r := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return s != ""
}

// newFields decides between fields of the same name: the least deep one counts,
// then the one named by its tag, and none if that leaves two.
func newFields(found []*field) *fields {
	order := func(f *field) []int {
		var list []int
		for _, s := range f.path {
			list = append(list, s.Index)
		}
		return list
	}
	byName := map[string][]*field{}
	for _, f := range found {
		byName[f.name] = append(byName[f.name], f)
	}
	out := &fields{exact: map[string]*field{}, folded: map[string]*field{}}
	for name, fs := range byName {
		slices.SortStableFunc(fs, func(a, b *field) int {
			return cmp.Or(cmp.Compare(len(a.path), len(b.path)), taggedFirst(a, b), slices.Compare(order(a), order(b)))
		})
		if len(fs) > 1 && len(fs[0].path) == len(fs[1].path) && fs[0].tagged == fs[1].tagged {
			continue
		}
		out.list = append(out.list, fs[0])
		out.exact[name] = fs[0]
	}
	slices.SortFunc(out.list, func(a, b *field) int { return slices.Compare(order(a), order(b)) })
	for _, f := range out.list {
		if folded := foldName(f.name); out.folded[folded] == nil {
			out.folded[folded] = f
		}
	}
	return out
}

func taggedFirst(a, b *field) int {
	switch {
	case a.tagged == b.tagged:
		return 0
	case a.tagged:
		return -1
	}
	return 1
}

// foldName is equal for names that differ in case only.
func foldName(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= utf8.RuneSelf {
			for { // to the least of those that are the same but for case
				next := unicode.SimpleFold(r)
				if r, next = next, r; r <= next {
					break
				}
			}
		} else if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// find is the field for a key, nil if there is none.
func (f *fields) find(key string) *field {
	if x := f.exact[key]; x != nil {
		return x
	}
	return f.folded[foldName(key)]
}
