package carry

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// A safe shows one field of two, and has a part of its own.
type safe struct {
	Label string
	Code  string
	held  int
}

func label(s *safe) string { return s.Label }
func hold(s *safe, n int)  { s.held += n }
func held(s *safe) int     { return s.held }
func value(s safe) int     { return s.held }
func open(l string) *safe  { return &safe{Label: l, Code: "s3cret", held: 1} }

// A pass is for hosts to make.
type pass struct{ Level int }

func level(t *pass) int  { return t.Level }
func login() *pass       { return &pass{1} }
func levelOf(t pass) int { return t.Level }

// Sides are a host and its worker, and what they say.
type sides struct {
	types        *Types
	here, there  *Handles
	side         *Side
	said, answer []byte // last
}

func newSides(t testing.TB, fns ...any) (*sides, []any) {
	t.Helper()
	return sidesOf(t, func(rt reflect.Type, n int) (Shown, error) {
		if rt == reflect.TypeFor[safe]() {
			return Shown{Name: "corp.Safe", Fields: []int{0}}, nil
		}
		if rt == reflect.TypeFor[pass]() {
			return Shown{Name: "corp.Pass", Fields: []int{0}, Given: true}, nil
		}
		return Shown{Name: fmt.Sprintf("%d/%v", n, rt)}, nil
	}, fns...)
}

// sidesOf are those of a host that shows of its types what shown says.
func sidesOf(t testing.TB, shown func(reflect.Type, int) (Shown, error), fns ...any) (*sides, []any) {
	t.Helper()
	p := &sides{types: NewTypes(func(rt reflect.Type) reflect.Type { return rt }, shown)}
	var typs [][]byte
	for _, fn := range fns {
		typ, err := p.types.EncodeFunc(reflect.TypeOf(fn))
		if err != nil {
			t.Fatal(err)
		}
		typs = append(typs, typ)
	}
	p.types.Seal()
	its, err := MakeTypes(textsOf(p.types))
	if err != nil {
		t.Fatal(err)
	}
	known := &Errors{}
	p.here, p.there = &Handles{Objects: p.types.OnHost(), Errors: known.OfRun(true)}, &Handles{Objects: its.OnWorker(), Errors: known.OfRun(false)}
	p.side = &Side{Types: its, Handles: func() *Handles { return p.there }, Context: t.Context}
	var stubs []any
	for i, fn := range fns {
		stub, err := p.side.Stub(typs[i], false, func(_ context.Context, args []byte, unsaid error) (body []byte, err error) {
			if unsaid != nil {
				return nil, unsaid
			}
			p.said = args
			p.answer, err = p.here.Invoke(context.Background(), fn, false, nil, args)
			return p.answer, err
		})
		if err != nil {
			t.Fatal(err)
		}
		stubs = append(stubs, stub)
	}
	return p, stubs
}

// called calls a stub, and gives its first result.
func called(stub any, args ...any) reflect.Value {
	in := []reflect.Value{}
	for _, a := range args {
		if v, ok := a.(reflect.Value); ok {
			in = append(in, v)
		} else {
			in = append(in, reflect.ValueOf(a))
		}
	}
	out := reflect.ValueOf(stub).Call(in)
	if len(out) == 0 {
		return reflect.Value{}
	}
	return out[0]
}

// TestObjects: what is one value in one process is one in the other, with what is shown of it.
func TestObjects(t *testing.T) {
	p, f := newSides(t, open, label, hold, held, value)
	open, label, hold, held, value := f[0], f[1], f[2], f[3], f[4]
	s := called(open, "a")
	if s.Elem().NumField() != 3 || s.Elem().Field(0).String() != "a" {
		t.Fatalf("got %+v", s.Elem())
	}
	if strings.Contains(string(p.answer), "s3cret") || strings.Contains(fmt.Sprintf("%+v", s.Elem()), "s3cret") {
		t.Errorf("what is hidden has crossed: %q", p.answer)
	}
	s.Elem().Field(0).SetString("b")
	if got := called(label, s).String(); got != "b" {
		t.Errorf("what the worker writes: %q", got)
	}
	called(hold, s, 4)
	if got := called(held, s).Int(); got != 5 {
		t.Errorf("hidden: %d", got)
	}
	copied := reflect.New(s.Type().Elem())
	copied.Elem().Set(s.Elem())
	called(hold, copied, 1)
	if a, b := called(held, s).Int(), called(held, copied).Int(); a != 5 || b != 6 {
		t.Errorf("a copy: %d, %d", a, b)
	}
	if got := called(value, s.Elem()).Int(); got != 5 {
		t.Errorf("by value: %d", got)
	}
}

// TestStaleCopy: a copy whose original has changed since is refused: nobody knows what it hides.
func TestStaleCopy(t *testing.T) {
	_, f := newSides(t, open, hold, held)
	s := called(f[0], "a")
	old := reflect.New(s.Type().Elem())
	old.Elem().Set(s.Elem())
	called(f[1], s, 4)
	defer func() {
		if p := fmt.Sprint(recover()); !strings.Contains(p, "has changed since") {
			t.Errorf("got %v", p)
		}
	}()
	t.Errorf("got %v", called(f[2], old))
}

// TestForgedObjects: what a worker says of objects is looked at, and after what is none it is
// not heard again.
func TestForgedObjects(t *testing.T) {
	type other struct{ N int }
	uints := func(list ...uint64) (b []byte) {
		b = head(b, majorArray, uint64(len(list)))
		for _, n := range list {
			b = head(b, majorUint, n)
		}
		return b
	}
	join := func(parts ...[]byte) (b []byte) {
		for _, p := range parts {
			b = append(b, p...)
		}
		return b
	}
	change := func(id, origin uint64, fields ...byte) []byte {
		b := head(head(head(head(head(nil, majorArray, 1), majorArray, 4), majorUint, id), majorUint, origin), majorUint, 0)
		return append(head(b, majorArray, uint64(len(fields))), fields...)
	}
	const null = majorSimple<<5 | simpleNil
	none := uints()
	for name, body := range map[string][]byte{
		"no such object":       join(none, none, uints(3)),
		"one of the host's":    join(uints(2, 0), none, uints(2)),
		"number 0":             join(uints(0, 0), none, uints(0)),
		"no type":              join(uints(3, 9), none, uints(3)),
		"half a type":          join(uints(3), none, uints(3)),
		"another type":         join(uints(3, 1), none, uints(3)),
		"twice":                join(uints(3, 0, 3, 0), none, uints(3)),
		"no such part":         join(uints(3, 0), change(3, 99, null), uints(3)),
		"a part of another":    join(uints(3, 0, 5, 1), change(3, 5, null), uints(3)),
		"change of none":       join(none, change(7, 7, null), uints(3)),
		"too few fields":       join(uints(3, 0), change(3, 0), uints(3)),
		"too many fields":      join(uints(3, 0), change(3, 0, null, null), uints(3)),
		"a hidden field's":     join(uints(3, 0), change(3, 0, null, 0x81, 0x43, 'a', 'b', 'c'), uints(3)),
		"a number for a text":  join(uints(3, 0), change(3, 0, 0x81, 1), uints(3)),
		"nothing":              nil,
		"an endless list":      {0x9f},
		"a list of 2^60 items": {0x9b, 0x10, 0, 0, 0, 0, 0, 0, 0},
	} {
		p, _ := newSides(t, label, func(*other) {})
		got, err := p.here.Invoke(t.Context(), label, false, nil, body)
		if !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	p, _ := newSides(t, label)
	good := join(uints(3, 0), none, uints(3))
	if _, err := p.here.Invoke(t.Context(), label, false, nil, good); err != nil {
		t.Errorf("one that is good: %v", err)
	}
	_, _ = p.here.Invoke(t.Context(), label, false, nil, join(none, change(7, 7, null), uints(3)))
	if _, err := p.here.Invoke(t.Context(), label, false, nil, join(none, none, uints(3))); !errors.Is(err, ErrFormat) {
		t.Errorf("after one that is not: %v", err)
	}
}

// TestOtherTypes: what a worker says of a value is refused by the types of the plan, before reflect is asked.
func TestOtherTypes(t *testing.T) {
	type other struct{ N int }
	// 3 is a new safe, 5 a new other.
	created := []byte{0x84, 3, 0, 5, 1}
	for name, tc := range map[string]struct {
		fn   any
		said []byte
		want string
	}{
		"a pointer":              {label, []byte{0x80, 0x81, 5}, "an object of another type"},
		"the hidden part of one": {label, []byte{0x81, 0x84, 3, 5, 0, 0x81, 0xf6, 0x81, 3}, "what a value of another type hides"},
		"a copy":                 {value, []byte{0x80, 0x81, 0x82, 5, 0x41, 'a'}, "what a value of another type hides"},
	} {
		p, _ := newSides(t, label, func(*other) {}, value)
		got, err := p.here.Invoke(t.Context(), tc.fn, false, nil, append(created[:5:5], tc.said...))
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %q, %v, want %s", name, got, err, tc.want)
		}
	}
}

// TestGiven: of a type that scripts cannot make a worker has no values but those it was given,
// and what a value hides that others may use it does not replace.
func TestGiven(t *testing.T) {
	p, f := newSides(t, login, level, levelOf)
	s := called(f[0])
	if got := called(f[1], s).Int(); got != 1 {
		t.Errorf("one that was given: %d", got)
	}
	for name, call := range map[string]func(){
		"one of its own": func() { called(f[1], reflect.New(s.Type().Elem())) },
		"a value":        func() { called(f[2], s.Elem()) },
	} {
		func() {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, "the host alone makes") {
					t.Errorf("%s: %v", name, p)
				}
			}()
			call()
		}()
	}
	forged := []byte{0x82, 3, 0, 0x81, 0x84, 3, 0, 0, 0x81, 0x81, 9, 0x81, 3} // new 3 of type 0; its field is 9
	if got, err := p.here.Invoke(t.Context(), level, false, nil, forged); !errors.Is(err, ErrFormat) {
		t.Errorf("forged: %x, %v", got, err)
	}
	p, _ = newSides(t, login, levelOf)
	byValue := []byte{0x80, 0x80, 0x81, 0x82, 0, 9}
	if got, err := p.here.Invoke(t.Context(), levelOf, false, nil, byValue); !errors.Is(err, ErrFormat) {
		t.Errorf("forged by value: %x, %v", got, err)
	}
	p, f = newSides(t, open, held)
	called(f[0], "a")
	called(f[0], "b")
	moved := []byte{0x80, 0x81, 0x84, 2, 4, 0, 0x81, 0xf6, 0x81, 2} // 2 gets what 4 hides
	if got, err := p.here.Invoke(t.Context(), held, false, nil, moved); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "its own") {
		t.Errorf("moved: %x, %v", got, err)
	}
}

// TestTooManyObjects: there is an end to what the host holds for a worker.
func TestTooManyObjects(t *testing.T) {
	p, _ := newSides(t, label)
	b := head(nil, majorArray, 2*(maxObjects+1))
	for n := range uint64(maxObjects + 1) {
		b = head(head(b, majorUint, 2*n+1), majorUint, 0)
	}
	b = append(head(b, majorArray, 0), head(head(nil, majorArray, 1), majorUint, 1)...)
	if _, err := p.here.Invoke(t.Context(), label, false, nil, b); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "one more than") {
		t.Errorf("got %v", err)
	}
}

type hiding struct{ Own int }

type hidingTree struct {
	Own  int
	Kids []hidingTree
}

type sends struct{ To chan *sends }

// TestWrongStructs: types that cannot be made are refused by name.
func TestWrongStructs(t *testing.T) {
	type holder struct{ H hiding }
	type asks struct{ F func() }
	for _, tc := range []struct {
		fn   any
		want string
	}{
		{func(*sends) {}, "cannot be copied between host and worker"},
		{func(hidingTree) {}, "fields that scripts may not see"},
		{func(holder) {}, "fields that scripts may not see"},
		{func(asks) {}, "cannot be copied between host and worker"},
		{func(error, fmt.Stringer) {}, "cannot be copied between host and worker"},
	} {
		types := NewTypes(func(rt reflect.Type) reflect.Type { return rt }, func(rt reflect.Type, n int) (s Shown, err error) {
			for i := 0; rt.Kind() == reflect.Struct && i < rt.NumField(); i++ {
				if rt.Field(i).Name != "Own" {
					s.Fields = append(s.Fields, i)
				}
			}
			return s, nil
		})
		if _, err := types.EncodeFunc(reflect.TypeOf(tc.fn)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%T: %v, want %q", tc.fn, err, tc.want)
		}
	}
}
