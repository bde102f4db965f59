package xml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// A Source is what the script has as an xml.Decoder: it knows the text, this package the
// values.
type Source interface {
	Token() (xml.Token, error)
	Skip() error
	Depth() int
	Enter() (was bool)
	Leave(was bool) (whole bool)
	Save() int
	Saved(from, to int) []byte
	Place() int
	Forget()
}

// Decode puts the next element, or the one that begins with start, into what the
// pointer that an interface holds leads to.
func Decode(m inspect.Machine, in Source, held any, start *xml.StartElement) error {
	to := m.Of(held)
	if to == nil || to.Kind() != reflect.Pointer {
		return errors.New("non-pointer passed to Unmarshal")
	}
	if to.IsNil() {
		return errors.New("nil pointer passed to Unmarshal")
	}
	return (&decoder{m: m, in: in}).value(to.Elem(), start)
}

// A decoder puts elements into values as encoding/xml does.
type decoder struct {
	m  inspect.Machine
	in Source
}

// maxDepth is Go's bound for elements in elements.
const maxDepth = 10000

// A target is where the parts of an element go.
type target struct {
	info    *info
	sv      inspect.Value // the struct, if it is one
	data    inspect.Value
	comment inspect.Value
	inner   inspect.Value
	any     inspect.Value
	from    int // of inner
}

// value puts an element into v.
func (d *decoder) value(v inspect.Value, start *xml.StartElement) error {
	m := d.m
	m.Tick()
	m.Deeper()
	defer m.Shallower()
	if d.in.Depth() > maxDepth {
		return errors.New("exceeded max depth")
	}
	if start == nil {
		s, err := d.next()
		if err != nil {
			return err
		}
		start = s
	}
	v = d.settle(v)
	if done, err := d.method(v, start); done {
		return err
	}
	switch k := v.Kind(); {
	case k == reflect.Interface:
		return d.in.Skip()
	case k == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		return d.appended(v, func(e inspect.Value) error { return d.value(e, start) })
	case k == reflect.Struct && v.Type().Host() == nameType:
		v.SetHost(start.Name)
		return d.content(&target{})
	case k == reflect.Struct:
		t, err := d.structure(v, start)
		if err != nil {
			return err
		}
		return d.content(t)
	case k == reflect.Bool || k == reflect.String || k == reflect.Slice || inspect.IsFloat(k) || inspect.IsInteger(k):
		return d.content(&target{data: v})
	}
	return errors.New("unknown type " + v.Type().String())
}

// next reads to the next start of an element.
func (d *decoder) next() (*xml.StartElement, error) {
	for {
		t, err := d.in.Token()
		if err != nil {
			return nil, err
		}
		if s, ok := t.(xml.StartElement); ok {
			return &s, nil
		}
	}
}

// settle goes down one interface and one pointer to where the element goes.
func (d *decoder) settle(v inspect.Value) inspect.Value {
	if v.Kind() == reflect.Interface && !v.IsNil() {
		if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() {
			v = e
		}
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Allocate()
		}
		v = v.Elem()
	}
	return v
}

// appended adds an element to a slice, and takes it away if it fails.
func (d *decoder) appended(v inspect.Value, f func(e inspect.Value) error) error {
	n := v.Len()
	v.SetLen(n + 1)
	err := f(v.Index(n))
	if err != nil {
		v.SetLen(n)
	}
	return err
}

// method lets v take the element itself, if it has a method for that.
func (d *decoder) method(v inspect.Value, start *xml.StartElement) (done bool, err error) {
	if recv, ok := receiver(v, "UnmarshalXML"); ok {
		return true, d.unmarshaler(recv, start)
	}
	recv, ok := receiver(v, "UnmarshalText")
	if !ok {
		return false, nil
	}
	var text []byte
	for depth := 1; depth > 0; {
		t, err := d.in.Token()
		if err != nil {
			return true, err
		}
		switch t := t.(type) {
		case xml.CharData:
			if depth == 1 {
				text = d.more(text, t)
			}
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return true, inspect.Unmarshal(recv, "UnmarshalText", text)
}

func (d *decoder) more(text, b []byte) []byte {
	d.m.Charge(int64(len(b)))
	return append(text, b...)
}

func (d *decoder) unmarshaler(recv inspect.Value, start *xml.StartElement) error {
	was := d.in.Enter()
	own := start.Copy()
	out := recv.Call("UnmarshalXML", d.in, own)
	whole := d.in.Leave(was)
	if err, _ := out[0].(error); err != nil {
		return err
	}
	if !whole {
		return fmt.Errorf("xml: %s.UnmarshalXML did not consume entire <%s> element", receiverName(recv.Type()), start.Name.Local)
	}
	return nil
}

// structure finds where the parts of an element go in a struct, and takes its
// attributes.
func (d *decoder) structure(v inspect.Value, start *xml.StartElement) (*target, error) {
	info, err := infoOf(d.m, v.Type())
	if err != nil {
		return nil, err
	}
	t := &target{info: info, sv: v}
	if info.name != nil {
		if err := d.named(v, info.name, start); err != nil {
			return nil, err
		}
	}
	for _, a := range start.Attr {
		if err := d.attribute(t, a); err != nil {
			return nil, err
		}
	}
	first := func(to *inspect.Value, f *field) bool {
		if *to != nil {
			return false
		}
		*to = f.of(v, true)
		return true
	}
	for _, f := range info.fields {
		switch f.mode {
		case inCData, inCharData:
			first(&t.data, f)
		case inComment:
			first(&t.comment, f)
		case inAny | inElement:
			first(&t.any, f)
		case inInner:
			if first(&t.inner, f) {
				t.from = d.in.Save()
			}
		}
	}
	return t, nil
}

// named compares the name of an element with XMLName, which keeps it.
func (d *decoder) named(v inspect.Value, f *field, start *xml.StartElement) error {
	if f.name != "" && f.name != start.Name.Local {
		return xml.UnmarshalError("expected element type <" + f.name + "> but have <" + start.Name.Local + ">")
	}
	if f.space != "" && f.space != start.Name.Space {
		have := start.Name.Space
		if have == "" {
			have = "no name space"
		}
		return xml.UnmarshalError("expected element <" + f.name + "> in name space " + f.space + " but have " + have)
	}
	if fv := f.of(v, true); fv.Type().Host() == nameType {
		fv.SetHost(start.Name)
	}
	return nil
}

// attribute puts an attribute into its fields, or the first that takes any.
func (d *decoder) attribute(t *target, a xml.Attr) error {
	handled := false
	var other *field
	for _, f := range t.info.fields {
		switch f.mode {
		case inAttr:
			v := f.of(t.sv, true)
			if a.Name.Local == f.name && (f.space == "" || f.space == a.Name.Space) {
				if err := d.attr(v, a); err != nil {
					return err
				}
				handled = true
			}
		case inAny | inAttr:
			if other == nil {
				other = f
			}
		}
	}
	if handled || other == nil {
		return nil
	}
	return d.attr(other.of(t.sv, true), a)
}

// attr puts an attribute into v.
func (d *decoder) attr(v inspect.Value, a xml.Attr) error {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Allocate()
		}
		v = v.Elem()
	}
	if recv, ok := receiver(v, "UnmarshalXMLAttr"); ok {
		err, _ := recv.Call("UnmarshalXMLAttr", a)[0].(error)
		return err
	}
	if recv, ok := receiver(v, "UnmarshalText"); ok {
		return inspect.Unmarshal(recv, "UnmarshalText", d.more(nil, []byte(a.Value)))
	}
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8 {
		return d.appended(v, func(e inspect.Value) error { return d.attr(e, a) })
	}
	if v.Type().Host() == attrType {
		v.SetHost(a)
		return nil
	}
	return d.text(v, []byte(a.Value))
}

// content reads to the end of an element, and puts its parts where they go.
func (d *decoder) content(t *target) error {
	var data, comment, inner []byte
	for {
		place := 0
		if t.inner != nil {
			place = d.in.Place()
		}
		tok, err := d.in.Token()
		if err != nil {
			return err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if err := d.child(t, &tok); err != nil {
				return err
			}
			continue
		case xml.CharData:
			if t.data != nil {
				data = d.more(data, tok)
			}
			continue
		case xml.Comment:
			if t.comment != nil {
				comment = d.more(comment, tok)
			}
			continue
		case xml.EndElement:
		default:
			continue
		}
		if t.inner != nil {
			inner = d.in.Saved(t.from, place)
			d.m.Charge(int64(len(inner)))
			d.in.Forget()
		}
		break
	}
	if t.data != nil {
		if err := d.data(t.data, data); err != nil {
			return err
		}
	}
	d.keep(t.comment, comment)
	d.keep(t.inner, inner)
	return nil
}

// child puts an element in an element into its field, or the one that takes any.
func (d *decoder) child(t *target, start *xml.StartElement) error {
	if t.sv != nil {
		done, err := d.path(t, nil, start)
		if done || err != nil {
			return err
		}
		if t.any != nil {
			return d.value(t.any, start)
		}
	}
	return d.in.Skip()
}

// path looks for the field of an element that is in the elements parents, and follows
// paths that lead through it. done says that the element was read.
func (d *decoder) path(t *target, parents []string, start *xml.StartElement) (done bool, err error) {
	d.m.Tick()
	n := len(parents)
	leads := false
	for _, f := range t.info.fields {
		if f.mode&inElement == 0 || len(f.parents) < n || f.space != "" && f.space != start.Name.Space || !equalTexts(f.parents[:n], parents) {
			continue
		}
		if len(f.parents) == n && f.name == start.Name.Local {
			return true, d.value(f.of(t.sv, true), start)
		}
		if len(f.parents) > n && f.parents[n] == start.Name.Local {
			parents, leads = f.parents[:n+1], true
			break
		}
	}
	if !leads {
		return false, nil
	}
	for {
		tok, err := d.in.Token()
		if err != nil {
			return true, err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			done, err := d.path(t, parents, &tok)
			if err == nil && !done {
				err = d.in.Skip()
			}
			if err != nil {
				return true, err
			}
		case xml.EndElement:
			return true, nil
		}
	}
}

func equalTexts(a, b []string) bool { return strings.Join(a, ">") == strings.Join(b, ">") }
