package gates

import (
	"reflect"
	"testing"
)

func TestBindRefuses(t *testing.T) {
	f := reflect.ValueOf(func() {})
	var none func()
	for _, tc := range []struct {
		name string
		do   func(b *Bind) error
	}{
		{"no value", func(b *Bind) error { return b.Func(0, reflect.Value{}) }},
		{"not a function", func(b *Bind) error { return b.Func(0, reflect.ValueOf(1)) }},
		{"nil function", func(b *Bind) error { return b.Func(0, reflect.ValueOf(none)) }},
		{"twice", func(b *Bind) error { b.Func(0, f); return b.Func(0, f) }},
		{"function and type", func(b *Bind) error { b.Func(0, f); return b.Type(0, reflect.TypeFor[int]()) }},
		{"no type", func(b *Bind) error { return b.Type(0, nil) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := tc.do(NewBind(1)); err == nil {
				t.Error("bound")
			}
		})
	}
}

func TestBind(t *testing.T) {
	b := NewBind(2)
	if err := b.Func(0, reflect.ValueOf(func() int { return 7 })); err != nil {
		t.Fatal(err)
	}
	if err := b.Type(1, reflect.TypeFor[int]()); err != nil {
		t.Fatal(err)
	}
	if got := b.Values()[0].Call(nil)[0].Int(); got != 7 {
		t.Errorf("value 0 gives %d, want 7", got)
	}
	if got := b.Types()[1]; got != reflect.TypeFor[int]() {
		t.Errorf("type 1 = %v, want int", got)
	}
}
