package carry

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

type order struct {
	ID    int
	Lines []line
	note  string
}

type line struct {
	Name  string
	Price float64
}

func noHandles() *Handles { return nil }

// link makes a stub of fn, as the other process would have it.
func link(t *testing.T, fn any) any {
	t.Helper()
	ft, ok := Func(fn)
	if !ok {
		t.Fatal("no function")
	}
	typ, err := (*Types)(nil).EncodeFunc(ft)
	if err != nil {
		t.Fatal(err)
	}
	side := &Side{Handles: noHandles, Context: t.Context}
	stub, err := side.Stub(typ, false, func(_ context.Context, args []byte, _ error) ([]byte, error) {
		return noHandles().Invoke(t.Context(), fn, false, nil, args)
	})
	if err != nil {
		t.Fatal(err)
	}
	return stub
}

func TestStub(t *testing.T) {
	add := link(t, func(a, b int) int { return a + b }).(func(int, int) int)
	if got := add(2, 3); got != 5 {
		t.Errorf("add: %d", got)
	}
	join := link(t, func(ctx context.Context, sep string, parts ...string) (string, error) {
		if ctx == nil {
			return "", errors.New("no context")
		}
		return strings.Join(parts, sep), nil
	}).(func(string, ...string) (string, error))
	if got, err := join("-", "a", "b"); got != "a-b" || err != nil {
		t.Errorf("join: %q, %v", got, err)
	}
	find := link(t, func(id int) (*order, error) {
		if id == 0 {
			return nil, fmt.Errorf("no order %d", id)
		}
		return &order{ID: id, Lines: []line{{"tea", 2.5}}, note: "mine"}, nil
	}).(func(int) (*struct {
		ID    int
		Lines []struct {
			Name  string
			Price float64
		}
	}, error))
	o, err := find(7)
	if err != nil || o.ID != 7 || o.Lines[0].Price != 2.5 {
		t.Errorf("find: %+v, %v", o, err)
	}
	if o, err := find(0); o != nil || err == nil || err.Error() != "no order 0" {
		t.Errorf("find(0): %+v, %v", o, err)
	}
}

func TestStubPanics(t *testing.T) {
	boom := link(t, func() error { panic("boom") }).(func() error)
	defer func() {
		if p := recover(); p != "boom" {
			t.Errorf("got %v", p)
		}
	}()
	boom()
}

func TestFuncStays(t *testing.T) {
	for _, fn := range []any{func() func() { return nil }, func(func(func())) {}, func() chan int { return nil }, func(int, interface{ Close() error }) {}} {
		ft, _ := Func(fn)
		if _, err := (*Types)(nil).EncodeFunc(ft); err == nil {
			t.Errorf("%v crosses", ft)
		}
	}
}
