package carry

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
)

// A scriptPair stands for a value of a type of the script's.
type scriptPair struct{ A, B int }

func (p *scriptPair) ScriptValue() any { return p }

// A hiddenPair is what scripts see nothing of: no member mentions it.
type hiddenPair struct{ A, B int }

// crossAny has v given from one side to the other.
func crossAny(t *testing.T, from, to *Handles, v any) any {
	t.Helper()
	data, err := from.sayValues(false, []reflect.Value{reflect.ValueOf(&v).Elem()})
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := to.hearValues(false, data, []reflect.Type{reflect.TypeFor[any]()}, roomOf(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	return got[0].Interface()
}

// TestOwnValues: a value of the script's type is something to the host that it can print and encode, and the value
// that it was when it comes back; one of the host's is something that a script can give back.
func TestOwnValues(t *testing.T) {
	p, _ := newSides(t, label)
	own := &scriptPair{1, 2}
	far := crossAny(t, p.there, p.here, own)
	b, err := json.Marshal(far)
	if text := fmt.Sprintf("%+v", far); text != "&{A:1 B:2}" || err != nil || string(b) != `{"A":1,"B":2}` {
		t.Errorf("the host sees %s, %s, %v", text, b, err)
	}
	if far != crossAny(t, p.there, p.here, own) || crossAny(t, p.here, p.there, far) != any(own) {
		t.Error("it is another")
	}
	if in, ok := crossAny(t, p.here, p.there, []any{map[string]any{"k": far}}).([]any); !ok || in[0].(map[string]any)["k"] != any(own) {
		t.Errorf("within others it is another: %v", in)
	}
	its := &hiddenPair{3, 4}
	handle := crossAny(t, p.here, p.there, its)
	if _, leaked := handle.(*hiddenPair); leaked || fmt.Sprintf("%v", handle) == "&{3 4}" || crossAny(t, p.there, p.here, handle) != any(its) {
		t.Errorf("the script has %v", handle)
	}
	other, _ := newSides(t, label)
	for name, v := range map[string]any{"a value": far, "in a list": []any{far}} {
		if _, err := other.here.sayValues(false, []reflect.Value{reflect.ValueOf(&v).Elem()}); err == nil {
			t.Errorf("%s is given to another run", name)
		}
	}
}

// TestForgedOwn: numbers of values that are not there, or that are none of that kind, are refused.
func TestForgedOwn(t *testing.T) {
	p, _ := newSides(t, label)
	own, its := crossAny(t, p.there, p.here, &scriptPair{1, 2}), crossAny(t, p.here, p.there, &hiddenPair{3, 4})
	wrong := errors.New("an error")
	if crossAny(t, p.here, p.there, wrong); own == nil || its == nil {
		t.Fatal(own, its)
	}
	numberOf := func(v any) uint64 { return p.here.Errors.held.numbers[v] }
	texts := []byte{majorBytes << 5, majorBytes << 5, majorBytes << 5, majorBytes << 5}
	said := func(parts int, number uint64, rest ...byte) []byte {
		return append(head(head([]byte{0x80, 0x80, 0x81}, majorArray, uint64(parts)), majorUint, number), rest...)
	}
	for name, data := range map[string][]byte{
		"a value of the script with the host's number": said(5, 2, texts...),
		"what is no JSON":                          said(5, 99, append(texts[:3:3], majorBytes<<5|1, '{')...),
		"a value of the host that is not there":    said(3, 1<<20, 0, majorBytes<<5),
		"a value of the host that is the script's": said(3, numberOf(own), 0, majorBytes<<5),
		"an error as a value":                      said(3, numberOf(wrong), 0, majorBytes<<5),
	} {
		if got, _, err := p.here.hearValues(false, data, []reflect.Type{reflect.TypeFor[any]()}, roomOf(1<<20)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	var back uint64
	for v, n := range p.here.Errors.held.numbers {
		if _, ok := v.(*hiddenPair); ok {
			back = n
		}
	}
	e := head(head(head(head([]byte{0x80, 0x80, 0x81}, majorArray, 7), majorUint, back), majorUint, shapeLeaf), majorUint, 0)
	e = append(e, majorBytes<<5, majorBytes<<5, majorArray<<5, majorArray<<5)
	if got, _, err := p.here.hearValues(false, e, []reflect.Type{reflect.TypeFor[error]()}, roomOf(1<<20)); !errors.Is(err, ErrFormat) {
		t.Errorf("a value as an error: %v, %v", got, err)
	}
}
