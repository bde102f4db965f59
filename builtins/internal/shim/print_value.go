package shim

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// An engineValue is a value of a script, as an engine shows it to the host: depth is how
// many values it is in.
type engineValue interface {
	FormatAt(s fmt.State, verb rune, depth int)
}

// A printer prints one value for one verb as fmt does, but no more of it than a script
// may see.
type printer struct {
	e    *Env
	s    fmt.State
	verb rune
}

// Show prints v, which is in depth other values. In a field that is not exported, which
// is private, fmt calls no methods. as is the name of a type of the script's that is
// declared as v's, and so has no methods.
func (e *Env) Show(s fmt.State, verb rune, v reflect.Value, depth int, private bool, as string) {
	e.PayShown(v)
	e.show(s, verb, v, depth, private, as)
}

// PayShown asks for the text of one value of those that an engine prints.
func (e *Env) PayShown(v reflect.Value) {
	if !v.IsValid() {
		return
	}
	m := Measure{Env: e}
	m.value(v, false)
	if rest := m.Bytes - m.Charged; rest > FreePrint/64 {
		e.Charge(rest)
	}
	if m.Took += m.Texts * QuoteRate; m.Took >= FreePrint {
		e.Work(m.Took / TickTime)
	}
}

func (e *Env) show(s fmt.State, verb rune, v reflect.Value, depth int, private bool, as string) {
	p := printer{e, s, verb}
	if as == "" {
		p.value(v, depth, private)
		return
	}
	p.bare(v, depth, private, as)
}

// An Echo is the state of fmt for a value that is shown to a person: in Go syntax, but with the texts of errors and of
// values with a method String, and without addresses. Below Pointers others it goes through pointers.
type Echo interface {
	fmt.State
	Pointers() int
}

// echo reports that a person reads it, and up to which depth pointers are gone through.
func (p printer) echo() (pointers int, ok bool) {
	e, ok := p.s.(Echo)
	if !ok {
		return 0, false
	}
	return e.Pointers(), true
}

func (p printer) sharp() bool { return p.verb == 'v' && p.s.Flag('#') }
func (p printer) plus() bool  { return p.verb == 'v' && p.s.Flag('+') && !p.s.Flag('#') }

// put has fmt print what it shows nothing hidden of.
func (p printer) put(v any) { fmt.Fprintf(p.s, fmt.FormatString(p.s, p.verb), v) }

func (p printer) write(text string) { _, _ = io.WriteString(p.s, text) }

func (p printer) value(v reflect.Value, depth int, private bool) {
	p.e.Check()
	if !v.IsValid() {
		p.write("<nil>")
		return
	}
	v = p.e.untied(v)
	if !private && v.CanInterface() && p.method(v, depth) {
		return
	}
	p.bare(v, depth, private, p.e.NameOf(v.Type()))
}

// method prints v by a method of its own, if it has one that is for the verb and for
// scripts.
func (p printer) method(v reflect.Value, depth int) bool {
	if v.Kind() == reflect.Interface {
		return false
	}
	x := v.Interface()
	if own, ok := x.(engineValue); ok {
		own.FormatAt(p.s, p.verb, depth)
		return true
	}
	if rv, ok := x.(reflect.Value); ok {
		p.reflected(rv, depth)
		return true
	}
	w := p.e.Showing(v.Type())
	if p.e.Values != nil && p.e.Values.TypeName(x) != "" {
		w = &Showing{Has: ownMethods}
	}
	x = p.e.withMethods(v)
	err, isErr := x.(error)
	str, isStr := x.(fmt.Stringer)
	if _, ok := p.echo(); ok {
		switch {
		case isErr && w.Has["Error"]:
			p.write(fmt.Sprint(onlyError{err}))
		case isStr && w.Has["String"]:
			p.write(fmt.Sprint(onlyString{str}))
		default:
			return false
		}
		return true
	}
	if f, ok := x.(fmt.Formatter); ok && w.Has["Format"] {
		p.put(f)
		return true
	}
	if p.sharp() {
		g, ok := x.(fmt.GoStringer)
		if ok && w.Has["GoString"] {
			p.put(onlyGoString{g})
		}
		return ok && w.Has["GoString"]
	}
	if !strings.ContainsRune("vsxXq", p.verb) {
		return false
	}
	switch {
	case isErr && w.Has["Error"]:
		p.put(onlyError{err})
	case isStr && w.Has["String"]:
		p.put(onlyString{str})
	default:
		return false
	}
	return true
}

// reflected prints a reflect.Value, which fmt looks into if it is in no other value. A
// script's is the engine's own; of one of the host's there is the type.
func (p printer) reflected(v reflect.Value, depth int) {
	if v.IsValid() && v.CanInterface() {
		own, ok := v.Interface().(interface {
			fmt.Formatter
			fmt.Stringer
		})
		switch {
		case ok && depth == 0:
			p.put(own)
			return
		case ok:
			p.write(own.String())
			return
		}
	}
	name := "invalid"
	if v.IsValid() {
		name = p.e.NameOf(v.Type())
	}
	p.write("<" + name + " Value>")
}

// ownMethods are those by which values of an engine's own print.
var ownMethods = map[string]bool{"Format": true, "Error": true, "String": true}

// Those have one method of a value, and no other.
type (
	onlyGoString struct{ g fmt.GoStringer }
	onlyError    struct{ err error }
	onlyString   struct{ s fmt.Stringer }
)

func (o onlyGoString) GoString() string { return orNil(o.g, o.g.GoString) }
func (o onlyError) Error() string       { return orNil(o.err, o.err.Error) }
func (o onlyString) String() string     { return orNil(o.s, o.s.String) }

// orNil is what a method says, or what fmt says when it panics for a nil receiver.
func orNil(recv any, method func() string) (text string) {
	v := reflect.ValueOf(recv)
	if m, ok := recv.(madeValue); ok {
		v = m.v
	}
	if v.Kind() == reflect.Pointer && v.IsNil() {
		defer func() {
			if recover() != nil {
				text = "<nil>"
			}
		}()
	}
	return method()
}

// bare prints v without methods of its own; typ is its type's name.
func (p printer) bare(v reflect.Value, depth int, private bool, typ string) {
	switch v.Kind() {
	case reflect.Struct:
		p.structure(v, depth, private, typ)
	case reflect.Map:
		p.mapping(v, depth, private, typ)
	case reflect.Slice, reflect.Array:
		p.list(v, depth, private, typ)
	case reflect.Interface:
		switch {
		case !v.IsNil():
			p.value(v.Elem(), depth+1, private)
		case p.sharp():
			p.write(typ + "(nil)")
		default:
			p.write("<nil>")
		}
	case reflect.Pointer:
		p.pointer(v, depth, private)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		p.place(v)
	default:
		p.leaf(v, typ)
	}
}

func (p printer) structure(v reflect.Value, depth int, private bool, typ string) {
	if g, ok := standsFor(v); ok {
		p.bare(g, depth, private, typ)
		return
	}
	sep, named := " ", p.plus() || p.sharp()
	if p.sharp() {
		p.write(typ)
		sep = ", "
	}
	p.write("{")
	for n, i := range p.e.Showing(v.Type()).Fields {
		if n > 0 {
			p.write(sep)
		}
		f := v.Type().Field(i)
		if named {
			p.write(f.Name + ":")
		}
		x := v.Field(i)
		if x.Kind() == reflect.Interface && !x.IsNil() {
			x = x.Elem()
		}
		p.value(x, depth+1, private || !f.IsExported())
	}
	p.write("}")
}

func (p printer) mapping(v reflect.Value, depth int, private bool, typ string) {
	open, sep, end := "map[", " ", "]"
	if p.sharp() {
		if v.IsNil() {
			p.write(typ + "(nil)")
			return
		}
		open, sep, end = typ+"{", ", ", "}"
	}
	p.write(open)
	for i, key := range p.e.sortedKeys(v) {
		if i > 0 {
			p.write(sep)
		}
		p.value(key, depth+1, private)
		p.write(":")
		p.value(v.MapIndex(key), depth+1, private)
	}
	p.write(end)
}

func (p printer) list(v reflect.Value, depth int, private bool, typ string) {
	if v.Type().Elem().Kind() == reflect.Uint8 && strings.ContainsRune("sqxX", p.verb) {
		bytes := make([]byte, v.Len())
		for i := range bytes {
			bytes[i] = byte(v.Index(i).Uint())
		}
		p.put(bytes)
		return
	}
	if _, ok := p.echo(); ok && v.Type() == reflect.TypeFor[[]byte]() && !v.IsNil() && utf8.Valid(v.Bytes()) {
		p.write(fmt.Sprintf("[]byte(%q)", v.Bytes()))
		return
	}
	open, sep, end := "[", " ", "]"
	if p.sharp() {
		if v.Kind() == reflect.Slice && v.IsNil() {
			p.write(typ + "(nil)")
			return
		}
		open, sep, end = typ+"{", ", ", "}"
	}
	p.write(open)
	for i := range v.Len() {
		if i > 0 {
			p.write(sep)
		}
		p.value(v.Index(i), depth+1, private)
	}
	p.write(end)
}

func (p printer) pointer(v reflect.Value, depth int, private bool) {
	deepest, _ := p.echo()
	if depth <= deepest && !v.IsNil() && p.verb != 'p' {
		if e := v.Elem(); kinds.Composite.Has(e.Kind()) {
			p.write("&")
			p.value(e, depth+1, private)
			return
		}
	}
	p.place(v)
}

// place prints where v points.
func (p printer) place(v reflect.Value) {
	a := p.e.place(v)
	switch {
	case p.sharp():
		text := "nil"
		if a != 0 {
			text = fmt.Sprintf("%#x", a)
			if _, ok := p.echo(); ok {
				text = "..."
			}
		}
		p.write("(" + p.e.NameOf(v.Type()) + ")(" + text + ")")
	case p.verb == 'v' && a == 0:
		fmt.Fprintf(p.s, fmt.FormatString(padded{p.s}, 's'), "<nil>")
	case (p.verb == 'v' || p.verb == 'p') && p.s.Flag('#'):
		fmt.Fprintf(p.s, "%x", a)
	case p.verb == 'v' || p.verb == 'p':
		fmt.Fprintf(p.s, fmt.FormatString(padded{p.s}, 's'), fmt.Sprintf("%#x", a))
	case strings.ContainsRune("bodxX", p.verb):
		p.put(a)
	default:
		p.wrongVerb(v)
	}
}

// padded is a state of which only the width is left.
type padded struct{ fmt.State }

func (padded) Precision() (int, bool) { return 0, false }
func (p padded) Flag(c int) bool      { return c == '-' && p.State.Flag(c) }

// wrongVerb prints v as fmt does when it cannot do what the verb asks for.
func (p printer) wrongVerb(v reflect.Value) {
	p.write("%!" + string(p.verb) + "(" + p.e.NameOf(v.Type()) + "=")
	printer{p.e, unflagged{p.s}, 'v'}.value(v, 0, true)
	p.write(")")
}

// unflagged is a state without the flags that change the shape.
type unflagged struct{ fmt.State }

func (u unflagged) Flag(c int) bool { return c != '+' && c != '#' && u.State.Flag(c) }

// leaf prints a value of a basic kind.
func (p printer) leaf(v reflect.Value, typ string) {
	text := fmt.Sprintf(fmt.FormatString(p.s, p.verb), basicValue(v))
	kind := v.Kind().String()
	if rest, wrong := strings.CutPrefix(text, "%!"+string(p.verb)+"("+kind+"="); wrong {
		text = "%!" + string(p.verb) + "(" + typ + "=" + rest
	}
	p.write(text)
}

// basicValue is v, which may be out of a private field, as a value of the basic type of
// its kind.
func basicValue(v reflect.Value) any {
	if !v.CanInterface() {
		return freshBasic(v).Interface()
	}
	return v.Convert(kinds.Types[v.Kind()]).Interface()
}

func freshBasic(v reflect.Value) reflect.Value {
	x := reflect.New(kinds.Types[v.Kind()]).Elem()
	switch {
	case v.CanInt():
		x.SetInt(v.Int())
	case v.CanUint():
		x.SetUint(v.Uint())
	case v.CanFloat():
		x.SetFloat(v.Float())
	case v.CanComplex():
		x.SetComplex(v.Complex())
	case v.Kind() == reflect.Bool:
		x.SetBool(v.Bool())
	default:
		x.SetString(v.String())
	}
	return x
}
