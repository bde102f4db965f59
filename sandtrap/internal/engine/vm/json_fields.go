package vm

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
)

// A jsonInfo is what encoding/json wants to know of a type.
type jsonInfo struct {
	methodsOnce, fieldsOnce sync.Once

	// Methods that values have, and that pointers to them have, theirs among them.
	of, ofPtr jsonMethods

	fields jsonFields
}

// jsonMethods says which of the methods that encoding/json looks for there are.
type jsonMethods struct{ marshalJSON, marshalText, unmarshalJSON, unmarshalText, isZero bool }

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

func methodsForJSON(t types.Type) jsonMethods {
	has := func(name string, want *types.Signature) bool {
		sig := methodSig(t, name)
		return sig != nil && types.Identical(sig, want)
	}
	return jsonMethods{
		has("MarshalJSON", marshalSig), has("MarshalText", marshalSig),
		has("UnmarshalJSON", unmarshalSig), has("UnmarshalText", unmarshalSig), has("IsZero", isZeroSig),
	}
}

// jsonInfo is that of t.
func (m *machine) jsonInfo(t *Type) *jsonInfo {
	i := m.info(t)
	i.json.methodsOnce.Do(func() {
		i.json.of = methodsForJSON(t.t)
		if t.kind != reflect.Pointer && t.kind != reflect.Interface {
			i.json.ofPtr = methodsForJSON(types.NewPointer(t.t))
		}
	})
	return &i.json
}

// jsonFields are the fields of a struct as encoding/json sees them.
type jsonFields struct {
	list   []*jsonField
	exact  map[string]*jsonField
	folded map[string]*jsonField
}

type jsonField struct {
	name      string
	key, html string // with quotation marks and colon, as they are and safe for HTML
	tagged    bool
	path      []*structField // from the outermost struct, through pointers
	typ       *Type
	omitEmpty bool
	omitZero  bool
	quoted    bool
}

// jsonFields are those of t, a struct.
func (m *machine) jsonFields(t *Type) *jsonFields {
	j := &m.info(t).json
	j.fieldsOnce.Do(func() { j.fields = newJSONFields(m.candidates(t)) })
	return &j.fields
}

// An embeddedStruct is one whose fields are to be looked at.
type embeddedStruct struct {
	t    *Type
	path []*structField
}

// candidates are all fields at all depths, level by level; those of a type that
// occurs twice in a level, twice.
func (m *machine) candidates(t *Type) []*jsonField {
	var found []*jsonField
	visited := map[*Type]bool{}
	level, times := []embeddedStruct{{t: t}}, map[*Type]int{}
	for len(level) > 0 {
		var next []embeddedStruct
		nextTimes := map[*Type]int{}
		for _, s := range level {
			if visited[s.t] {
				continue
			}
			visited[s.t] = true
			for _, f := range m.structFields(s.t) {
				path := append(slices.Clip(slices.Clone(s.path)), f)
				c, inner := newJSONField(f, path)
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

// newJSONField makes a field of f, or gives the struct whose fields count in its
// place; neither if f does not count.
func newJSONField(f *structField, path []*structField) (c *jsonField, inner *Type) {
	ft := f.typ
	if ft.kind == reflect.Pointer && !ft.named {
		ft = ft.elem
	}
	if !f.Exported && (!f.Embedded || kindOf(ft) != reflect.Struct) {
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
	if name == "" && f.Embedded && kindOf(ft) == reflect.Struct {
		return nil, ft
	}
	c = &jsonField{name: name, tagged: name != "", path: path, typ: f.typ}
	if name == "" {
		c.name = f.Name
	}
	options = "," + options + ","
	c.omitEmpty, c.omitZero = strings.Contains(options, ",omitempty,"), strings.Contains(options, ",omitzero,")
	c.quoted = strings.Contains(options, ",string,") && (ft.kind == reflect.String || ft.kind >= reflect.Bool && ft.kind <= reflect.Float64)
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

// newJSONFields decides between fields of the same name: the least deep one counts,
// then the one named by its tag, and none if that leaves two.
func newJSONFields(found []*jsonField) jsonFields {
	order := func(f *jsonField) []int {
		var list []int
		for _, s := range f.path {
			list = append(list, s.index)
		}
		return list
	}
	byName := map[string][]*jsonField{}
	for _, f := range found {
		byName[f.name] = append(byName[f.name], f)
	}
	out := jsonFields{exact: map[string]*jsonField{}, folded: map[string]*jsonField{}}
	for name, fs := range byName {
		slices.SortStableFunc(fs, func(a, b *jsonField) int {
			return cmp.Or(cmp.Compare(len(a.path), len(b.path)), cmp.Compare(b2i(b.tagged), b2i(a.tagged)), slices.Compare(order(a), order(b)))
		})
		if len(fs) > 1 && len(fs[0].path) == len(fs[1].path) && fs[0].tagged == fs[1].tagged {
			continue
		}
		out.list = append(out.list, fs[0])
		out.exact[name] = fs[0]
	}
	slices.SortFunc(out.list, func(a, b *jsonField) int { return slices.Compare(order(a), order(b)) })
	for _, f := range out.list {
		if folded := foldName(f.name); out.folded[folded] == nil {
			out.folded[folded] = f
		}
	}
	return out
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
func (f *jsonFields) find(key string) *jsonField {
	if x := f.exact[key]; x != nil {
		return x
	}
	return f.folded[foldName(key)]
}
