package xml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// Sink is what the script has as an xml.Encoder: it knows the text, this package the
// values.
type Sink interface {
	Start(xml.StartElement) error
	End(xml.Name) error
	Top() (xml.Name, bool)
	Text([]byte) error
	CData([]byte) error
	Note([]byte) error
	Raw([]byte) error
	Mark() int
	Unmark(int) string
	Failed() error
}

// Encode writes what an interface holds as elements, with the tag start if that is set.
func Encode(m inspect.Machine, out Sink, held any, start *xml.StartElement) error {
	return (&encoder{m: m, out: out}).value(m.Of(held), nil, start)
}

// An encoder writes values as encoding/xml does.
type encoder struct {
	m   inspect.Machine
	out Sink
}

// value writes the elements of v, which field f of a struct holds if that is set.
func (e *encoder) value(v inspect.Value, f *field, as *xml.StartElement) error {
	m := e.m
	m.Tick()
	m.Deeper()
	defer m.Shallower()
	if as != nil && as.Name.Local == "" {
		return errors.New("xml: EncodeElement of StartElement with missing name")
	}
	if v == nil || f != nil && f.omitEmpty && isEmpty(v) {
		return nil
	}
	if v = e.indirect(v); isNilRef(v) {
		return nil
	}
	if done, err := e.method(v, f, as); done {
		return err
	}
	k := v.Kind()
	if (k == reflect.Slice || k == reflect.Array) && v.Type().Elem().Kind() != reflect.Uint8 {
		for i := range v.Len() {
			if err := e.value(v.Index(i), f, as); err != nil {
				return err
			}
		}
		return nil
	}
	info, err := infoOf(m, v.Type())
	if err != nil {
		return err
	}
	start, err := e.start(v, info, f, as)
	if err != nil {
		return err
	}
	if err := e.out.Start(start); err != nil {
		return err
	}
	if k == reflect.Struct {
		err = e.fields(info, v)
	} else if text, err1 := e.simple(v); err1 != nil {
		err = err1
	} else {
		err = e.out.Text(text)
	}
	if err != nil {
		return err
	}
	if err := e.out.End(start.Name); err != nil {
		return err
	}
	return e.out.Failed()
}

// indirect goes down interfaces and pointers to what they lead to, or to the first
// that is nil.
func (e *encoder) indirect(v inspect.Value) inspect.Value {
	for (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) && !v.IsNil() {
		e.m.Tick()
		v = v.Elem()
	}
	return v
}

// isNilRef reports a nil interface or pointer.
func isNilRef(v inspect.Value) bool {
	return (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) && v.IsNil()
}

// method writes v by a method of its own, if it has one.
func (e *encoder) method(v inspect.Value, f *field, as *xml.StartElement) (done bool, err error) {
	if recv, ok := receiver(v, "MarshalXML"); ok {
		return true, e.marshaler(recv, defaultStart(recv.Type(), f, as))
	}
	recv, ok := receiver(v, "MarshalText")
	if !ok {
		return false, nil
	}
	start := defaultStart(recv.Type(), f, as)
	if err := e.out.Start(start); err != nil {
		return true, err
	}
	text, err := inspect.Marshal(recv, "MarshalText")
	if err != nil {
		return true, err
	}
	if err := e.out.Text(text); err != nil {
		return true, err
	}
	return true, e.out.End(start.Name)
}

// marshaler calls MarshalXML, which has to close what it opens.
func (e *encoder) marshaler(recv inspect.Value, start xml.StartElement) error {
	mark := e.out.Mark()
	if err, _ := recv.Call("MarshalXML", e.out, start)[0].(error); err != nil {
		return err
	}
	if open := e.out.Unmark(mark); open != "" {
		return fmt.Errorf("xml: %s.MarshalXML wrote invalid XML: <%s> not closed", receiverName(recv.Type()), open)
	}
	return nil
}

func receiverName(t inspect.Type) string {
	if t.Name() != "" {
		return t.String()
	}
	return "(" + t.String() + ")"
}

// defaultStart is the tag for a value that writes itself.
func defaultStart(t inspect.Type, f *field, as *xml.StartElement) (start xml.StartElement) {
	switch {
	case as != nil:
		start.Name = as.Name
		start.Attr = append(start.Attr, as.Attr...)
	case f != nil && f.name != "":
		start.Name = xml.Name{Space: f.space, Local: f.name}
	case t.Name() != "":
		start.Name.Local = t.Name()
	default:
		start.Name.Local = t.Elem().Name()
	}
	return start
}

// start is the tag of v with its attributes.
func (e *encoder) start(v inspect.Value, info *info, f *field, as *xml.StartElement) (start xml.StartElement, err error) {
	switch {
	case as != nil:
		start.Name = as.Name
		start.Attr = append(start.Attr, as.Attr...)
	case info.name != nil && info.name.name != "":
		start.Name = xml.Name{Space: info.name.space, Local: info.name.name}
	case info.name != nil:
		if name, ok := hostIn(info.name.of(v, false), nameType).(xml.Name); ok && name.Local != "" {
			start.Name = name
		}
	}
	if start.Name.Local == "" && f != nil {
		start.Name = xml.Name{Space: f.space, Local: f.name}
	}
	if start.Name.Local == "" {
		if start.Name.Local, _, _ = strings.Cut(v.Type().Name(), "["); start.Name.Local == "" {
			return start, &xml.UnsupportedTypeError{Type: e.m.Reflect(v.Type())}
		}
	}
	for _, a := range info.fields {
		if a.mode&inAttr == 0 {
			continue
		}
		av := a.of(v, false)
		if a.omitEmpty && (av == nil || isEmpty(av)) || av != nil && av.Kind() == reflect.Interface && av.IsNil() {
			continue
		}
		if err := e.attr(&start, xml.Name{Space: a.space, Local: a.name}, av); err != nil {
			return start, err
		}
	}
	if top, _ := e.out.Top(); info.name != nil && start.Name.Space == "" && info.name.space == "" && info.name.name == "" && top.Space != "" {
		start.Attr = append(start.Attr, xml.Attr{Name: xml.Name{Local: "xmlns"}})
	}
	return start, nil
}

// hostIn is the value of the host's that v is, if it is an rt.
func hostIn(v inspect.Value, rt reflect.Type) any {
	if v == nil || v.Type().Host() != rt {
		return nil
	}
	return v.Host()
}

// attr adds an attribute.
func (e *encoder) attr(start *xml.StartElement, name xml.Name, v inspect.Value) error {
	m := e.m
	m.Tick()
	if v == nil {
		m.Fail("reflect: call of reflect.Value.Type on zero Value")
	}
	m.Charge(int64(reflect.TypeFor[xml.Attr]().Size()))
	if recv, ok := receiver(v, "MarshalXMLAttr"); ok {
		out := recv.Call("MarshalXMLAttr", name)
		if err, _ := out[1].(error); err != nil {
			return err
		}
		if a, ok := out[0].(xml.Attr); ok && a.Name.Local != "" {
			start.Attr = append(start.Attr, a)
		}
		return nil
	}
	if recv, ok := receiver(v, "MarshalText"); ok {
		text, err := inspect.Marshal(recv, "MarshalText")
		if err == nil {
			start.Attr = append(start.Attr, xml.Attr{Name: name, Value: string(text)})
		}
		return err
	}
	if isNilRef(v) {
		return nil
	}
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8 {
		for i := range v.Len() {
			if err := e.attr(start, name, v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	if a, ok := hostIn(v, attrType).(xml.Attr); ok {
		start.Attr = append(start.Attr, a)
		return nil
	}
	text, err := e.simple(v)
	if err == nil {
		m.Charge(int64(len(text)))
		start.Attr = append(start.Attr, xml.Attr{Name: name, Value: string(text)})
	}
	return err
}

// simple is the text of a value that has no parts.
func (e *encoder) simple(v inspect.Value) ([]byte, error) {
	switch k := v.Kind(); {
	case k == reflect.String:
		return []byte(v.Text()), nil
	case k == reflect.Bool:
		return strconv.AppendBool(nil, v.Int() != 0), nil
	case k == reflect.Float32 || k == reflect.Float64:
		return strconv.AppendFloat(nil, v.Float(), 'g', -1, inspect.Bits(k)), nil
	case inspect.IsUnsigned(v.Kind()):
		return strconv.AppendUint(nil, uint64(v.Int()), 10), nil
	case inspect.IsInteger(v.Kind()):
		return strconv.AppendInt(nil, v.Int(), 10), nil
	case (k == reflect.Array || k == reflect.Slice) && v.Type().Elem().Kind() == reflect.Uint8:
		return v.Bytes(), nil
	}
	return nil, &xml.UnsupportedTypeError{Type: e.m.Reflect(v.Type())}
}

// isEmpty is what omitempty leaves out.
func isEmpty(v inspect.Value) bool {
	switch k := v.Kind(); {
	case k == reflect.Array || k == reflect.Map || k == reflect.Slice || k == reflect.String:
		return v.Len() == 0
	case k == reflect.Float32 || k == reflect.Float64:
		return v.Float() == 0 && v.Int() == 0
	case k == reflect.Bool || inspect.IsInteger(v.Kind()):
		return v.Int() == 0
	case k == reflect.Interface || k == reflect.Pointer:
		return v.IsNil()
	}
	return false
}
