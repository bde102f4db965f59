package sandtraptest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A typeMaker makes types of Go's at random, and the text that declares them in a script.
type typeMaker struct {
	*rand.Rand
	decls strings.Builder
	names map[reflect.Type]string // of structs
}

func (g *typeMaker) pick(list ...string) string { return list[g.IntN(len(list))] }

var basicTypes = []reflect.Type{
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](), reflect.TypeFor[int64](), reflect.TypeFor[float64](),
	reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[bool](), reflect.TypeFor[any](), reflect.TypeFor[[]byte](),
}

func (g *typeMaker) typ(depth int) reflect.Type {
	if depth > 2 {
		return basicTypes[g.IntN(len(basicTypes))]
	}
	switch g.IntN(9) {
	case 0:
		return reflect.SliceOf(g.typ(depth + 1))
	case 1:
		return reflect.MapOf([]reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int]()}[g.IntN(2)], g.typ(depth+1))
	case 2:
		return reflect.PointerTo(g.typ(depth + 1))
	case 3:
		return reflect.ArrayOf(2, g.typ(depth+1))
	case 4, 5:
		return g.structure(depth)
	}
	return basicTypes[g.IntN(len(basicTypes))]
}

func (g *typeMaker) structure(depth int) reflect.Type {
	var list []reflect.StructField
	var text strings.Builder
	taken := map[string]bool{}
	list = append(list, reflect.StructField{Name: "E", Type: reflect.TypeFor[int8]()}) // there is one, and not more than that
	text.WriteString("\tE int8\n")
	for range 1 + g.IntN(4) {
		f := reflect.StructField{Name: g.pick("A", "B", "C", "D", "x", "y"), Type: g.typ(depth + 1)}
		if depth < 2 && g.IntN(3) == 0 {
			f.Type, f.Anonymous = g.structure(depth+1), true
			f.Name = g.names[f.Type]
			if depth < 2 && g.IntN(3) == 0 {
				f.Type = reflect.PointerTo(f.Type)
			}
		}
		if taken[f.Name] {
			continue
		}
		taken[f.Name] = true
		if !strings.Contains("xy", f.Name) {
			f.Tag = reflect.StructTag(g.pick("", "", "", `json:"a"`, `json:"b"`, `json:"A"`, `json:"-"`, `json:"-,"`, `json:"c,omitempty"`, `json:",omitempty"`, `json:",omitzero"`, `json:"é d"`, `json:"a\"b"`))
		} else {
			f.PkgPath = "main"
		}
		list = append(list, f)
		name := f.Name + " "
		if f.Anonymous {
			name = ""
		}
		fmt.Fprintf(&text, "\t%s%s `%s`\n", name, g.text(f.Type), f.Tag)
	}
	rt := reflect.StructOf(list)
	if g.names[rt] == "" {
		g.names[rt] = fmt.Sprintf("T%d", len(g.names))
		fmt.Fprintf(&g.decls, "type %s struct {\n%s}\n", g.names[rt], text.String())
	}
	return rt
}

// text is a type as a script writes it.
func (g *typeMaker) text(rt reflect.Type) string {
	switch k := rt.Kind(); k {
	case reflect.Struct:
		return g.names[rt]
	case reflect.Slice:
		return "[]" + g.text(rt.Elem())
	case reflect.Array:
		return "[2]" + g.text(rt.Elem())
	case reflect.Map:
		return "map[" + rt.Key().String() + "]" + g.text(rt.Elem())
	case reflect.Pointer:
		return "*" + g.text(rt.Elem())
	case reflect.Interface:
		return "any"
	default:
		return rt.String()
	}
}

// fill gives v, a variable, a value at random, and returns that as a script writes it.
func (g *typeMaker) fill(v reflect.Value) string {
	rt := v.Type()
	if k := rt.Kind(); g.IntN(5) == 0 && (k == reflect.Slice || k == reflect.Map || k == reflect.Pointer || k == reflect.Interface) {
		return "(" + g.text(rt) + ")(nil)"
	}
	n := g.IntN(3)
	var parts []string
	switch rt.Kind() {
	case reflect.Bool:
		v.SetBool(n == 1)
		return fmt.Sprint(n == 1)
	case reflect.String:
		v.SetString([]string{"", "a<b", "é\n"}[n])
		return fmt.Sprintf("%q", v.String())
	case reflect.Float64:
		v.SetFloat([]float64{0, -1.5, 1e30}[n])
		return fmt.Sprintf("float64(%v)", v.Float())
	case reflect.Interface:
		inner := reflect.New(g.typ(3)).Elem()
		text := g.fill(inner)
		if inner.Kind() == reflect.Slice && inner.IsNil() { // which encoding/json forgets the type of
			return "any(nil)"
		}
		v.Set(inner)
		if inner.Kind() == reflect.Interface {
			return text
		}
		return g.text(inner.Type()) + "(" + text + ")"
	case reflect.Pointer:
		v.Set(reflect.New(rt.Elem()))
		return "ptr[" + g.text(rt.Elem()) + "](" + g.fill(v.Elem()) + ")"
	case reflect.Slice, reflect.Array:
		if rt.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(rt, n, n))
		}
		for i := range v.Len() {
			parts = append(parts, g.fill(v.Index(i)))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(rt))
		for i := range n {
			key, elem := reflect.ValueOf(i), reflect.New(rt.Elem()).Elem()
			if rt.Key().Kind() == reflect.String {
				key = reflect.ValueOf(g.pick("A", "k", "") + fmt.Sprint(i))
			}
			parts = append(parts, fmt.Sprintf("%#v: %s", key.Interface(), g.fill(elem)))
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		for i := range rt.NumField() {
			if f := rt.Field(i); f.IsExported() {
				parts = append(parts, f.Name+": "+g.fill(v.Field(i)))
			}
		}
	default:
		bits := min(rt.Bits(), 48) - 1 // in an any encoding/json has floats
		x := []int64{0, 1, 1<<(bits-1) - 1}[n]
		v.Set(reflect.ValueOf(x).Convert(rt))
		return fmt.Sprintf("%s(%d)", rt, x)
	}
	return g.text(rt) + "{" + strings.Join(parts, ", ") + "}"
}

// TestResultsOfJSON: values of random types of structs, embedded, tagged and nested, are in a variable of the same
// type what encoding/json makes of them, by Script.Result and by Decode; and so is their JSON.
func TestResultsOfJSON(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 30
	}
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" || b.Isolation == sandtrap.Kernel {
			b.Skip("the values are those of the others")
		}
		box := b.Box(pure())
		for seed := range rounds {
			g := &typeMaker{Rand: rand.New(rand.NewPCG(uint64(seed), 7)), names: map[reflect.Type]string{}}
			v := reflect.New(g.structure(0)).Elem()
			lit := g.fill(v)
			src := g.decls.String() + "func ptr[T any](v T) *T { return &v }\nresult := " + lit + "\n_ = ptr[int]"
			text, err := json.Marshal(v.Interface())
			if err != nil {
				b.Fatal(err)
			}
			sameAsJSON(b, box, src, text, v.Type())
			if b.Failed() {
				b.Fatalf("seed %d:\n%s", seed, src)
			}
		}
	})
}

var null = regexp.MustCompile(`,"[^"]*":null`)

func sameAsJSON(b bench, box *sandtrap.Sandbox, src string, text []byte, rt reflect.Type) {
	b.Helper()
	want, result, decoded := reflect.New(rt), reflect.New(rt), reflect.New(rt)
	if err := json.Unmarshal(text, want.Interface()); err != nil {
		b.Fatal(err)
	}
	same := func(how string, got any, err error) {
		b.Helper()
		x, _ := json.Marshal(got)
		y, _ := json.Marshal(want.Interface())
		if strings.Contains(src, "\t*T") { // one that is nil is made for a value, not for nil
			x, y = null.ReplaceAll(x, nil), null.ReplaceAll(y, nil)
		}
		if err != nil || string(x) != string(y) {
			b.Errorf("%s: %v\ngot  %s\nwant %s", how, err, x, y)
		}
	}
	_, err := box.Run(b.Context(), sandtrap.Script{Text: src, Result: result.Interface()})
	same("Script.Result", result.Interface(), err)
	res, err := box.Run(b.Context(), sandtrap.Script{Text: src})
	if err != nil {
		b.Fatalf("%v\n%s", err, src)
	}
	same("Decode", decoded.Interface(), res.Decode("result", decoded.Interface()))
	var x, y any
	if json.Unmarshal(res.JSON("result"), &x) != nil || json.Unmarshal(text, &y) != nil || !reflect.DeepEqual(x, y) {
		b.Errorf("JSON:\ngot  %s\nwant %s", res.JSON("result"), text)
	}
}
