package carry

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// fuzzed are functions of a host that has given its worker a safe with number 2 and a pass with
// number 4.
func fuzzed(t *testing.T) (p *sides, fns, stubs []any) {
	fns = []any{open, login, label, hold, held, value, level, levelOf, relabel}
	p, stubs = newSides(t, fns...)
	called(stubs[0], "mine")
	called(stubs[1])
	return p, fns, stubs
}

func relabel(a, b *safe) *safe { a.Label, b.Label = b.Label, a.Label; return a }

// FuzzCall: whatever a worker says in a call, and a host in an answer, is an error or changes what
// it may: of objects of the other side the fields that are shown.
func FuzzCall(f *testing.F) {
	for fn, body := range map[int][]byte{
		2: {0x80, 0x80, 0x81, 2}, 6: {0x80, 0x80, 0x81, 4}, 3: {0x80, 0x80, 0x82, 2, 5},
		8: {0x82, 3, 0, 0x81, 0x84, 3, 2, 0, 0x81, 0x81, 0x41, 'x', 0x82, 3, 2},
		4: {0x80, 0x81, 0x84, 2, 4, 0, 0x81, 0xf6, 0x81, 2},
		7: {0x80, 0x80, 0x81, 0x82, 0, 9}, 0: {0x80, 0x80, 0x81, 0x41, 'a'},
		5: {0x80, 0x80, 0x81, 0x82, 2, 0x41, 'b'},
	} {
		f.Add(byte(fn), body, []byte{0x80, 0x80, 0x81, 2})
	}
	f.Add(byte(0), []byte{0x80, 0x80, 0x81, 0x41, 'a'}, []byte{0x82, 6, 0, 0x81, 0x84, 6, 6, 0, 0x81, 0x81, 0x41, 'a', 0x81, 6})
	f.Fuzz(func(t *testing.T, fn byte, args, answer []byte) {
		forgetTypes(t)
		p, fns, _ := fuzzed(t)
		mine := p.here.Objects.byID[2].ptr.Interface().(*safe)
		given := fns[int(fn)%len(fns)]
		results, err := p.here.Invoke(t.Context(), given, false, nil, args)
		if err != nil && !errors.Is(err, ErrFormat) && !isPanic(err) {
			t.Errorf("an error of another kind: %v", err)
		}
		if mine.Code != "s3cret" {
			t.Errorf("the host has %+v", mine)
		}
		for id, x := range p.here.Objects.byID {
			if x.of.text.Given && !p.here.Objects.mine(id) {
				t.Errorf("the worker has made %+v", x.ptr)
			}
		}
		if bytes.Contains(results, []byte("s3cret")) && !bytes.Contains(args, []byte("s3cret")) {
			t.Errorf("what is hidden has crossed: %q", results)
		}
		if len(p.here.Objects.byID) > maxObjects {
			t.Errorf("%d objects", len(p.here.Objects.byID))
		}
		typ := reflect.TypeOf(given)
		room := int64(MaxCall)
		if _, _, err := p.there.hearValues(false, answer, stubResults(p, typ), &room); err != nil && !errors.Is(err, ErrFormat) {
			t.Errorf("of an answer: %v", err)
		}
	})
}

// FuzzInterface: whatever a worker says is in an interface, no method is called that it may not
// call: of a tin or a jar Shut, of a lid all but Open.
func FuzzInterface(f *testing.F) {
	for fn, body := range map[int][]byte{
		0: {0x80, 0x80, 0x81, 0x82, 0x82, 4, 0x82, 5, 1, 2}, 1: {0x80, 0x80, 0x81, 0x82, 0x82, 4, 0x82, 5, 3, 4},
		2: {0x80, 0x80, 0x81, 0x82, 0x82, 4, 0x82, 5, 1, 2}, 8: {0x80, 0x80, 0x81, 0x82, 0x82, 4, 0x82, 5, 8, 8},
		7: {0x80, 0x80, 0x81, 0x81, 3},
	} {
		f.Add(byte(fn), body)
	}
	f.Fuzz(func(t *testing.T, fn byte, args []byte) {
		forgetTypes(t)
		p, stubs := newLids(t)
		for _, n := range []int{3, 4, 5, 6} {
			called(stubs[n])
		}
		forbidden = nil
		fns := []any{openLid, openTin, melt, anyCan, anyTin, jarTin, newJar, whatever, shutIt}
		_, err := p.here.Invoke(t.Context(), fns[int(fn)%len(fns)], false, nil, args)
		if err != nil && !errors.Is(err, ErrFormat) && !isPanic(err) {
			t.Errorf("an error of another kind: %v", err)
		}
		if len(forbidden) > 0 {
			t.Errorf("%v is called", forbidden)
		}
	})
}

func isPanic(err error) bool {
	_, ok := errors.AsType[*Panic](err)
	return ok
}

// stubResults are the types that the worker has for the results of a function of the host's.
func stubResults(p *sides, ft reflect.Type) (list []reflect.Type) {
	for _, out := range engine.Outs(ft) {
		if out.Kind() == reflect.Pointer {
			n := p.types.at[out.Elem()]
			out = reflect.PointerTo(p.side.Types.Type(n))
		}
		list = append(list, out)
	}
	return list
}
