package carry

import (
	"errors"
	"reflect"
	"testing"
)

// Interfaces of a host: of a lid scripts may not call Shut, nor of a jar, which is one.
type (
	lid  interface{ Open() int }
	shut interface{ Shut() int }
	tin  interface {
		Open() int
		Shut() int
	}
	full interface {
		Open() int
		Shut() int
		Melt() int
	}
	jar struct{ N int }
	can struct{ _ int } // of a size, so that no two are the same
)

// forbidden are the calls of methods that no worker may call.
var forbidden []string

func (j *jar) Open() int { return j.N }
func (j *jar) Shut() int { forbidden = append(forbidden, "Shut"); return -j.N }
func (c *can) Open() int { return 10 }
func (c *can) Shut() int { forbidden = append(forbidden, "Shut"); return -10 }
func (c *can) Melt() int { forbidden = append(forbidden, "Melt"); return 0 }

func openLid(l lid) int   { return l.Open() }
func openTin(t tin) int   { return t.Open() }
func melt(f full) int     { return f.Melt() }
func shutIt(s shut) int   { return s.Shut() }
func anyCan() lid         { return &can{} }
func anyTin() tin         { return &can{} }
func jarTin() tin         { return &jar{5} }
func newJar() *jar        { return &jar{4} }
func whatever(v any) bool { _, ok := v.(*can); return ok }

// newLids are sides whose functions are those above, in that order.
func newLids(t *testing.T) (*sides, []any) {
	listed := map[reflect.Type]Shown{
		reflect.TypeFor[lid](): {Name: "corp.Lid", Own: true}, reflect.TypeFor[tin](): {Name: "corp.Tin", Own: true, Denied: []string{"Shut"}},
		reflect.TypeFor[full](): {Name: "corp.Full", Own: true}, reflect.TypeFor[shut](): {Name: "corp.Shut", Own: true},
		reflect.TypeFor[jar](): {Name: "corp.Jar", Own: true, Fields: []int{0}, Denied: []string{"Shut"}},
	}
	return sidesOf(t, func(rt reflect.Type, n int) (Shown, error) { return listed[rt], nil },
		openLid, openTin, melt, anyCan, anyTin, jarTin, newJar, whatever, shutIt)
}

// TestInterfaces: what is in an interface of the host's is the same value each time, and as what
// it was given a worker can give it back.
func TestInterfaces(t *testing.T) {
	_, f := newLids(t)
	asLid, asTin, aJar, own := called(f[3]), called(f[4]), called(f[5]), called(f[6])
	if a, b := called(f[0], asLid.Elem()).Int(), called(f[1], asTin.Elem()).Int(); a != 10 || b != 10 {
		t.Errorf("as they are: %d, %d", a, b)
	}
	if n := called(f[0], asTin.Elem()).Int(); n != 10 {
		t.Errorf("as a smaller one: %d", n)
	}
	if a, b := called(f[0], own).Int(), called(f[1], aJar.Elem()).Int(); a != 4 || b != 5 {
		t.Errorf("of a listed type: %d, %d", a, b)
	}
	if !called(f[7], asLid.Elem()).Bool() {
		t.Error("in an any it is none")
	}
}

// TestForgedInterfaces: a worker cannot have methods called that it may not call, by saying that a
// value is what it was not given as.
func TestForgedInterfaces(t *testing.T) {
	for _, tc := range []struct {
		name     string
		give, to int
	}{
		{"a larger interface", 3, 1}, {"one larger by a method that is denied", 4, 2}, {"a part that is denied", 4, 8}, {"a method that the listed type does not show", 6, 1},
	} {
		p, f := newLids(t)
		v := called(f[tc.give])
		if v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		func() {
			defer func() {
				if r := recover(); r == nil {
					t.Errorf("%s: it is called", tc.name)
				}
			}()
			called(f[tc.to], v)
		}()
		_, err := p.here.Invoke(t.Context(), openLid, false, nil, append([]byte{0x80, 0x80, 0x81}, 0x81, 0))
		if !errors.Is(err, ErrFormat) {
			t.Errorf("a value of a script without a wrapper: %v", err)
		}
	}
}
