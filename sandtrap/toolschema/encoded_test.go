package toolschema

import (
	"encoding/json"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

type (
	Names  []string
	Scores map[string]int
	Blob   []byte
	Loop   struct {
		By   map[string]Loop
		Kids []Loop
		Next *Loop
	}
	Quoted struct {
		N     int    `json:"n,string"`
		P     *uint8 `json:"p,string"`
		On    bool   `json:",string"`
		S     string `json:"s,string"`
		Level Level  `json:"level,string"`
		//lint:ignore SA5008 encoding/json ignores the option here
		List []int       `json:"list,string"`
		Num  json.Number `json:"num,string"`
	}
	Embeds struct {
		*Meta
		*Inner
		Status
		Scores
		Names `json:"names"`
		Own   map[string]*Meta
	}
	Inner struct{ A, B int }
)

// encodedTypes are types each of whose forms in JSON differs from another's, and those that are made of them.
func encodedTypes() []reflect.Type {
	list := []reflect.Type{
		reflect.TypeFor[int](), reflect.TypeFor[string](), reflect.TypeFor[bool](), reflect.TypeFor[float64](), reflect.TypeFor[any](), reflect.TypeFor[error](),
		reflect.TypeFor[Names](), reflect.TypeFor[Scores](), reflect.TypeFor[Blob](), reflect.TypeFor[Level](), reflect.TypeFor[Loop](),
		reflect.TypeFor[Tree](), reflect.TypeFor[Quoted](), reflect.TypeFor[Embeds](), reflect.TypeFor[Meta](), reflect.TypeFor[json.RawMessage](),
		reflect.TypeFor[json.Number](), reflect.TypeFor[net.IP](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[time.Time](), reflect.TypeFor[*big.Int](), reflect.TypeFor[*big.Float](),
	}
	made := list
	for _, t := range list {
		made = append(made, reflect.SliceOf(t), reflect.PointerTo(t), reflect.ArrayOf(2, t), reflect.MapOf(reflect.TypeFor[string](), t), reflect.MapOf(reflect.TypeFor[Level](), t), reflect.MapOf(reflect.TypeFor[int8](), t))
		made = append(made, reflect.StructOf([]reflect.StructField{{Name: "A", Type: t}, {Name: "B", Type: t, Tag: `json:"b,omitempty"`}, {Name: "C", Type: t, Tag: `json:",omitzero"`}}))
	}
	for _, t := range made[len(list):] {
		made = append(made, reflect.PointerTo(t), reflect.MapOf(reflect.TypeFor[string](), t))
	}
	return made
}

// filled is a value of type t in which maps and lists have an element and pointers lead on, depth levels down.
func filled(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	if depth == 0 || known[t] {
		return v
	}
	switch t.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(filled(t.Elem(), depth-1))
	case reflect.Slice:
		if t != reflect.TypeFor[json.RawMessage]() && t != reflect.TypeFor[net.IP]() {
			v.Set(reflect.Append(v, filled(t.Elem(), depth-1)))
		}
	case reflect.Array:
		v.Index(0).Set(filled(t.Elem(), depth-1))
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(reflect.Zero(t.Key()), filled(t.Elem(), depth-1))
	case reflect.Struct:
		for f := range t.Fields() {
			if f.IsExported() {
				v.FieldByIndex(f.Index).Set(filled(f.Type, depth-1))
			}
		}
	}
	return v
}

// TestEncoded: what encoding/json writes for a value of a type is valid by the schema of a parameter and of a result of that
// type, also where the value, or a part of it, is nil.
func TestEncoded(t *testing.T) {
	for _, rt := range encodedTypes() {
		fn := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{rt, reflect.TypeFor[int]()}, []reflect.Type{rt, reflect.TypeFor[bool]()}, false), nil)
		tools, err := Of(sandtrap.Policy{Funcs: map[string]any{"f": fn.Interface()}})
		if err != nil {
			t.Errorf("%v: %v", rt, err)
			continue
		}
		for _, depth := range []int{0, 1, 4} {
			v := filled(rt, depth).Interface()
			t.Run(rt.String(), func(t *testing.T) {
				fits(t, tools[0].Input, map[string]any{"arg1": v, "arg2": 1}, true)
				fits(t, tools[0].Output, []any{v, true}, true)
			})
		}
	}
}
