package toolfile

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A twin is a type as a file declares it, and one with the same fields that the file has no part in.
type twin struct {
	text string
	typ  reflect.Type
}

// A writer writes files of random declarations.
type writer struct {
	*rand.Rand
	decls    strings.Builder
	structs  []twin
	pointers bool
	names    int
}

var basics = []twin{
	{"bool", reflect.TypeFor[bool]()}, {"string", reflect.TypeFor[string]()}, {"int", reflect.TypeFor[int]()}, {"int8", reflect.TypeFor[int8]()},
	{"rune", reflect.TypeFor[rune]()}, {"int64", reflect.TypeFor[int64]()}, {"uint", reflect.TypeFor[uint]()}, {"byte", reflect.TypeFor[byte]()},
	{"uint16", reflect.TypeFor[uint16]()}, {"uint64", reflect.TypeFor[uint64]()}, {"float32", reflect.TypeFor[float32]()}, {"float64", reflect.TypeFor[float64]()},
	{"any", reflect.TypeFor[any]()}, {"time.Time", reflect.TypeFor[time.Time]()}, {"time.Duration", reflect.TypeFor[time.Duration]()},
}

// typ is a random type that is nested at most as deep.
func (w *writer) typ(depth int) twin {
	if depth == 0 || w.Intn(3) == 0 {
		if len(w.structs) > 0 && w.Intn(3) == 0 {
			return w.structs[w.Intn(len(w.structs))]
		}
		return basics[w.Intn(len(basics))]
	}
	elem := w.typ(depth - 1)
	switch n := w.Intn(6); {
	case n == 0:
		return twin{"[]" + elem.text, reflect.SliceOf(elem.typ)}
	case n == 1:
		return twin{"[2]" + elem.text, reflect.ArrayOf(2, elem.typ)}
	case n == 2:
		return twin{"map[string]" + elem.text, reflect.MapOf(reflect.TypeFor[string](), elem.typ)}
	case n == 3:
		return twin{"map[int16]" + elem.text, reflect.MapOf(reflect.TypeFor[int16](), elem.typ)}
	case n == 4 && w.pointers:
		return twin{"*" + elem.text, reflect.PointerTo(elem.typ)}
	}
	return w.structure(depth - 1)
}

var tags = []string{"", `json:"%s"`, `json:"%s,omitempty"`, `json:",omitzero"`, `json:"%s,string"`, `json:"-"`}

// structure is a random struct type without a name.
func (w *writer) structure(depth int) twin {
	var fields []reflect.StructField
	text := ""
	for i := range w.Intn(5) {
		elem, name := w.typ(depth), fmt.Sprint("F", i)
		tag := tags[w.Intn(len(tags))]
		if strings.Contains(tag, "%s") {
			tag = fmt.Sprintf(tag, fmt.Sprint("f-", i))
		}
		fields = append(fields, reflect.StructField{Name: name, Type: elem.typ, Tag: reflect.StructTag(tag)})
		text += fmt.Sprintf("%s %s `%s`; ", name, elem.text, tag)
	}
	return twin{"struct{ " + text + "}", reflect.StructOf(fields)}
}

// declare declares a random type, most often a struct.
func (w *writer) declare() {
	name := fmt.Sprint("T", w.names)
	w.names++
	t := w.structure(3)
	if w.Intn(4) == 0 {
		t = basics[w.Intn(12)]
		if w.Intn(4) == 0 {
			t = twin{"map[string]float64", reflect.TypeFor[map[string]float64]()}
		}
	}
	fmt.Fprintf(&w.decls, "type %s %s\n", name, t.text)
	w.structs = append(w.structs, twin{name, t.typ})
}

// value is a random one.
func (w *writer) value(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case t == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(w.Int63n(1e10), w.Int63n(1e9)).UTC()))
	case w.Intn(4) == 0: // nil or zero
	case t.Kind() == reflect.Interface:
		v.Set(reflect.ValueOf([]any{"t", 1.5, []any{true}, map[string]any{"k": nil}}[w.Intn(4)]))
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			v.Field(i).Set(w.value(t.Field(i).Type))
		}
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			v.Index(i).Set(w.value(t.Elem()))
		}
	case t.Kind() == reflect.Slice:
		for range w.Intn(3) {
			v.Set(reflect.Append(v, w.value(t.Elem())))
		}
	case t.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(t))
		for range w.Intn(3) {
			v.SetMapIndex(w.value(t.Key()), w.value(t.Elem()))
		}
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(w.value(t.Elem()))
	default:
		got, _ := quick.Value(t, w.Rand)
		v.Set(got)
	}
	return v
}

// TestRandomTypes: what a tool gets and gives of a random type is what encoding/json makes of a type with the same fields, and what
// does not fit the one does not fit the other.
func TestRandomTypes(t *testing.T) {
	accepted, refused := 0, 0
	for seed := range int64(150) {
		w := &writer{Rand: rand.New(rand.NewSource(seed)), pointers: seed%2 == 0}
		for range 3 {
			w.declare()
		}
		of := w.typ(3)
		src := "package tools\nimport \"time\"\n" + w.decls.String() + "func Get() " + of.text + "\n"
		if !w.pointers {
			src += "func Put(v " + of.text + ")\n"
		}
		file, err := Parse("tools.go", []byte(src))
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		get := file.funcs[0]
		for range 10 {
			text, err := marshal(w.value(of.typ).Interface())
			if err != nil {
				t.Fatal(err)
			}
			got, err := get.read(file.names, text)
			if err != nil {
				t.Fatalf("%v: %s\n%s", err, text, src)
			}
			want := again(t, of.typ, text)
			if text, err := marshal(got[0].Interface()); err != nil || string(text) != want {
				t.Fatalf("got %s, %v, want %s\n%s", text, err, want, src)
			}
			if !w.pointers {
				if args := argsOf(t, file, got); string(args) != `{"v":`+want+"}" {
					t.Fatalf("got %s, want %s\n%s", args, want, src)
				}
			}
			broken := w.broken(text)
			if string(broken) == "null" {
				continue // see TestErrors
			}
			_, err = get.read(file.names, broken)
			if want := decode(bytes.TrimSpace(broken), reflect.New(of.typ).Interface()); (err == nil) != (want == nil) {
				t.Fatalf("%s: got %v, want %v\n%s", broken, err, want, src)
			}
			if err == nil {
				accepted++
			} else {
				refused++
			}
		}
	}
	if accepted < 50 || refused < 50 {
		t.Errorf("%d accepted, %d refused: the test tells nothing", accepted, refused)
	}
}

// again is a text, read as a value of a type and written again. What the tags leave out is not there then.
func again(t *testing.T, typ reflect.Type, text []byte) string {
	v := reflect.New(typ)
	if err := decode(text, v.Interface()); err != nil {
		t.Fatal(err)
	}
	text, err := marshal(v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// broken is text with another value, or another byte, somewhere.
func (w *writer) broken(text []byte) []byte {
	i := w.Intn(len(text))
	values := []string{"null", `"x"`, "1", "-1.5", "[]", "{}", "true", `{"other":1}`, `"State_":{}`, "70000", "State_", "f-0"}
	return []byte(string(text[:i]) + values[w.Intn(len(values))] + string(text[min(len(text), i+w.Intn(4)):]))
}

// argsOf are the arguments that the tool Put gets for a value.
func argsOf(t *testing.T, file *File, values []reflect.Value) (args json.RawMessage) {
	members := file.Members(func(_ context.Context, _ string, got json.RawMessage) (json.RawMessage, error) {
		args = got
		return nil, nil
	})
	in := append([]reflect.Value{reflect.ValueOf(t.Context())}, values...)
	reflect.ValueOf(members["Put"].(sandtrap.Member).Value).Call(in)
	return args
}
