package vm

import (
	"encoding/xml"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// xmlSink is what the script has as an xml.Encoder: it knows the text, the engine the
// values.
type xmlSink interface {
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

func (h hostValues) EncodeXML(v any, encoder any, start *xml.StartElement) error {
	e := &xmlEncoder{m: h.m, out: encoder.(xmlSink)}
	return e.value(h.m.valOf(hostIface(v)), nil, start)
}

// An xmlEncoder writes values as encoding/xml does.
type xmlEncoder struct {
	m   *machine
	out xmlSink
}

// value writes the elements of v, which field f of a struct holds if that is set.
func (e *xmlEncoder) value(v val, f *xmlField, as *xml.StartElement) error {
	m := e.m
	m.tick()
	m.deeper()
	defer m.shallower()
	if as != nil && as.Name.Local == "" {
		return errors.New("xml: EncodeElement of StartElement with missing name")
	}
	if !v.valid() || f != nil && f.omitEmpty && isEmptyXML(v) {
		return nil
	}
	if v = e.indirect(v); isNilRef(v) {
		return nil
	}
	if done, err := e.method(v, f, as); done {
		return err
	}
	k := v.kind()
	if (k == reflect.Slice || k == reflect.Array) && v.t.elem.kind != reflect.Uint8 {
		for i := range v.length() {
			if err := e.value(v.index(m, i), f, as); err != nil {
				return err
			}
		}
		return nil
	}
	info, err := m.xmlInfo(v.t)
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
func (e *xmlEncoder) indirect(v val) val {
	for (v.t.kind == reflect.Interface || v.t.kind == reflect.Pointer) && !v.isNil() {
		e.m.tick()
		v = v.elem(e.m)
	}
	return v
}

// isNilRef reports a nil interface or pointer.
func isNilRef(v val) bool {
	return (v.t.kind == reflect.Interface || v.t.kind == reflect.Pointer) && v.isNil()
}

// method writes v by a method of its own, if it has one.
func (e *xmlEncoder) method(v val, f *xmlField, as *xml.StartElement) (done bool, err error) {
	if recv, ok := e.m.xmlReceiver(v, "MarshalXML"); ok {
		return true, e.marshaler(recv, defaultStart(recv.t, f, as))
	}
	recv, ok := e.m.xmlReceiver(v, "MarshalText")
	if !ok {
		return false, nil
	}
	start := defaultStart(recv.t, f, as)
	if err := e.out.Start(start); err != nil {
		return true, err
	}
	text, err := e.m.callMarshal(recv, "MarshalText")
	if err != nil {
		return true, err
	}
	if err := e.out.Text(text); err != nil {
		return true, err
	}
	return true, e.out.End(start.Name)
}

// marshaler calls MarshalXML, which has to close what it opens.
func (e *xmlEncoder) marshaler(recv val, start xml.StartElement) error {
	mark := e.out.Mark()
	args := &Obj{I: []int64{0, 0}, S: []string{"", ""}, R: []any{e.out, &start}}
	res := e.m.callMethod(recv, "MarshalXML", args, 2)
	if err := e.m.errIn(res.R[0]); err != nil {
		return err
	}
	if open := e.out.Unmark(mark); open != "" {
		return fmt.Errorf("xml: %s.MarshalXML wrote invalid XML: <%s> not closed", receiverName(recv.t), open)
	}
	return nil
}

func receiverName(t *Type) string {
	if hasName(t) {
		return t.str
	}
	return "(" + t.str + ")"
}

// defaultStart is the tag for a value that writes itself.
func defaultStart(t *Type, f *xmlField, as *xml.StartElement) (start xml.StartElement) {
	switch {
	case as != nil:
		start.Name = as.Name
		start.Attr = append(start.Attr, as.Attr...)
	case f != nil && f.name != "":
		start.Name = xml.Name{Space: f.space, Local: f.name}
	case hasName(t):
		start.Name.Local = typeName(t)
	default:
		start.Name.Local = typeName(t.elem)
	}
	return start
}

// start is the tag of v with its attributes.
func (e *xmlEncoder) start(v val, info *xmlInfo, f *xmlField, as *xml.StartElement) (start xml.StartElement, err error) {
	switch {
	case as != nil:
		start.Name = as.Name
		start.Attr = append(start.Attr, as.Attr...)
	case info.name != nil && info.name.name != "":
		start.Name = xml.Name{Space: info.name.space, Local: info.name.name}
	case info.name != nil:
		if name, ok := e.m.hostStructIn(e.m.xmlValue(v, info.name, false), xmlNameType).(xml.Name); ok && name.Local != "" {
			start.Name = name
		}
	}
	if start.Name.Local == "" && f != nil {
		start.Name = xml.Name{Space: f.space, Local: f.name}
	}
	if start.Name.Local == "" {
		if start.Name.Local, _, _ = strings.Cut(typeName(v.t), "["); start.Name.Local == "" {
			return start, &xml.UnsupportedTypeError{Type: e.m.reflectType(v.t)}
		}
	}
	for _, a := range info.fields {
		if a.mode&xmlAttr == 0 {
			continue
		}
		av := e.m.xmlValue(v, a, false)
		if a.omitEmpty && (!av.valid() || isEmptyXML(av)) || av.valid() && av.t.kind == reflect.Interface && av.isNil() {
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

// hostStructIn is the struct of the host's that v is, if it is an rt.
func (m *machine) hostStructIn(v val, rt reflect.Type) any {
	if !v.valid() || v.t.host != rt {
		return nil
	}
	return hostDeref(v.t, v.held(m)).Interface()
}

// attr adds an attribute.
func (e *xmlEncoder) attr(start *xml.StartElement, name xml.Name, v val) error {
	m := e.m
	m.tick()
	if !v.valid() {
		throwPlain("reflect: call of reflect.Value.Type on zero Value")
	}
	m.charge(int64(reflect.TypeFor[xml.Attr]().Size()))
	if recv, ok := m.xmlReceiver(v, "MarshalXMLAttr"); ok {
		res := m.callMethod(recv, "MarshalXMLAttr", &Obj{I: []int64{0}, S: []string{""}, R: []any{&name}}, 1)
		if err := m.errIn(res.R[1]); err != nil {
			return err
		}
		if a, ok := res.R[0].(*xml.Attr); ok && a.Name.Local != "" {
			start.Attr = append(start.Attr, *a)
		}
		return nil
	}
	if recv, ok := m.xmlReceiver(v, "MarshalText"); ok {
		text, err := m.callMarshal(recv, "MarshalText")
		if err == nil {
			start.Attr = append(start.Attr, xml.Attr{Name: name, Value: string(text)})
		}
		return err
	}
	if isNilRef(v) {
		return nil
	}
	if v.t.kind == reflect.Pointer || v.t.kind == reflect.Interface {
		v = v.elem(m)
	}
	if v.t.kind == reflect.Slice && v.t.elem.kind != reflect.Uint8 {
		for i := range v.length() {
			if err := e.attr(start, name, v.index(m, i)); err != nil {
				return err
			}
		}
		return nil
	}
	if a, ok := m.hostStructIn(v, xmlAttrType).(xml.Attr); ok {
		start.Attr = append(start.Attr, a)
		return nil
	}
	text, err := e.simple(v)
	if err == nil {
		m.charge(int64(len(text)))
		start.Attr = append(start.Attr, xml.Attr{Name: name, Value: string(text)})
	}
	return err
}

// simple is the text of a value that has no parts.
func (e *xmlEncoder) simple(v val) ([]byte, error) {
	switch k := v.kind(); {
	case k == reflect.String:
		return []byte(v.str()), nil
	case k == reflect.Bool:
		return strconv.AppendBool(nil, v.int() != 0), nil
	case k == reflect.Float32 || k == reflect.Float64:
		return strconv.AppendFloat(nil, v.float(), 'g', -1, bitsOf(v.t)), nil
	case isUnsigned(v.t):
		return strconv.AppendUint(nil, uint64(v.int()), 10), nil
	case isInteger(v.t):
		return strconv.AppendInt(nil, v.int(), 10), nil
	case (k == reflect.Array || k == reflect.Slice) && v.t.elem.kind == reflect.Uint8:
		return v.bytes(e.m), nil
	}
	return nil, &xml.UnsupportedTypeError{Type: e.m.reflectType(v.t)}
}

// bytes are those of an array or slice of bytes.
func (v val) bytes(m *machine) []byte {
	o, off, n, _ := v.store(m)
	if o == nil {
		return nil
	}
	return bytesOf(o, off, n)
}

// isEmptyXML is what omitempty leaves out.
func isEmptyXML(v val) bool {
	switch k := v.kind(); {
	case k == reflect.Array || k == reflect.Map || k == reflect.Slice || k == reflect.String:
		return v.length() == 0
	case k == reflect.Float32 || k == reflect.Float64:
		return v.float() == 0 && v.int() == 0
	case k == reflect.Bool || isInteger(v.t):
		return v.int() == 0
	case k == reflect.Interface || k == reflect.Pointer:
		return v.isNil()
	}
	return false
}
