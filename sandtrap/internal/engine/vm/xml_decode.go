package vm

import (
	"encoding/xml"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// xmlSource is what the script has as an xml.Decoder: it knows the text, the engine
// the values.
type xmlSource interface {
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

func (h hostValues) DecodeXML(decoder any, v any, start *xml.StartElement) error {
	to := h.m.valOf(hostIface(v))
	if !to.valid() || to.t.kind != reflect.Pointer {
		return errors.New("non-pointer passed to Unmarshal")
	}
	if to.isNil() {
		return errors.New("nil pointer passed to Unmarshal")
	}
	d := &xmlDecoder{m: h.m, in: decoder.(xmlSource)}
	return d.value(to.elem(h.m), start)
}

// An xmlDecoder puts elements into values as encoding/xml does.
type xmlDecoder struct {
	m  *machine
	in xmlSource
}

// maxXMLDepth is Go's bound for elements in elements.
const maxXMLDepth = 10000

// An xmlTarget is where the parts of an element go.
type xmlTarget struct {
	info    *xmlInfo
	sv      val // the struct, if it is one
	data    val
	comment val
	inner   val
	any     val
	from    int // of inner
}

// value puts an element into v.
func (d *xmlDecoder) value(v val, start *xml.StartElement) error {
	m := d.m
	m.tick()
	m.deeper()
	defer m.shallower()
	if d.in.Depth() > maxXMLDepth {
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
	switch k := v.kind(); {
	case k == reflect.Interface:
		return d.in.Skip()
	case k == reflect.Slice && v.t.elem.kind != reflect.Uint8:
		return d.appended(v, func(e val) error { return d.value(e, start) })
	case k == reflect.Struct && v.t.host == xmlNameType:
		d.setHost(v, start.Name)
		return d.content(&xmlTarget{})
	case k == reflect.Struct:
		t, err := d.structure(v, start)
		if err != nil {
			return err
		}
		return d.content(t)
	case k == reflect.Bool || k == reflect.String || k == reflect.Slice || isFloat(v.t) || isInteger(v.t):
		return d.content(&xmlTarget{data: v})
	}
	return errors.New("unknown type " + v.t.str)
}

// next reads to the next start of an element.
func (d *xmlDecoder) next() (*xml.StartElement, error) {
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
func (d *xmlDecoder) settle(v val) val {
	if v.t.kind == reflect.Interface && !v.isNil() {
		if e := v.elem(d.m); e.t.kind == reflect.Pointer && !e.isNil() {
			v = e
		}
	}
	if v.t.kind == reflect.Pointer {
		if v.isNil() {
			d.m.allocate(v)
		}
		v = v.elem(d.m)
	}
	return v
}

// appended adds an element to a slice, and takes it away if it fails.
func (d *xmlDecoder) appended(v val, f func(e val) error) error {
	v.mustBeSettable("SetLen")
	n := v.length()
	d.m.growSlice(v, n+1)
	err := f(v.index(d.m, n))
	if err != nil {
		o, off, _, c := v.store(d.m)
		v.set(d.m, sliceCells(o, off, n, c), 0)
	}
	return err
}

// setHost sets a struct of the host's.
func (d *xmlDecoder) setHost(v val, x any) {
	v.mustBeSettable("Set")
	o := d.m.newCells(v.t)
	fromHost(d.m, reflect.ValueOf(x), v.t, o, 0)
	v.set(d.m, o, 0)
}

// method lets v take the element itself, if it has a method for that.
func (d *xmlDecoder) method(v val, start *xml.StartElement) (done bool, err error) {
	if recv, ok := d.m.xmlReceiver(v, "UnmarshalXML"); ok {
		return true, d.unmarshaler(recv, start)
	}
	recv, ok := d.m.xmlReceiver(v, "UnmarshalText")
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
	return true, d.unmarshalText(recv, text)
}

func (d *xmlDecoder) more(text, b []byte) []byte {
	d.m.charge(int64(len(b)))
	return append(text, b...)
}

func (d *xmlDecoder) unmarshaler(recv val, start *xml.StartElement) error {
	was := d.in.Enter()
	own := start.Copy()
	args := &Obj{I: []int64{0, 0}, S: []string{"", ""}, R: []any{d.in, &own}}
	res := d.m.callMethod(recv, "UnmarshalXML", args, 2)
	whole := d.in.Leave(was)
	if err := d.m.errIn(res.R[0]); err != nil {
		return err
	}
	if !whole {
		return fmt.Errorf("xml: %s.UnmarshalXML did not consume entire <%s> element", receiverName(recv.t), start.Name.Local)
	}
	return nil
}

func (d *xmlDecoder) unmarshalText(recv val, text []byte) error {
	n := int64(len(text))
	res := d.m.callMethod(recv, "UnmarshalText", &Obj{I: []int64{n, n}, S: []string{"", ""}, R: []any{&Num[uint8]{text}, nil}}, 2)
	return d.m.errIn(res.R[0])
}

// structure finds where the parts of an element go in a struct, and takes its
// attributes.
func (d *xmlDecoder) structure(v val, start *xml.StartElement) (*xmlTarget, error) {
	info, err := d.m.xmlInfo(v.t)
	if err != nil {
		return nil, err
	}
	t := &xmlTarget{info: info, sv: v}
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
	first := func(to *val, f *xmlField) bool {
		if to.valid() {
			return false
		}
		*to = d.m.xmlValue(v, f, true)
		return true
	}
	for _, f := range info.fields {
		switch f.mode {
		case xmlCData, xmlCharData:
			first(&t.data, f)
		case xmlComment:
			first(&t.comment, f)
		case xmlAny | xmlElement:
			first(&t.any, f)
		case xmlInner:
			if first(&t.inner, f) {
				t.from = d.in.Save()
			}
		}
	}
	return t, nil
}

// named compares the name of an element with XMLName, which keeps it.
func (d *xmlDecoder) named(v val, f *xmlField, start *xml.StartElement) error {
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
	if fv := d.m.xmlValue(v, f, true); fv.t.host == xmlNameType {
		d.setHost(fv, start.Name)
	}
	return nil
}

// attribute puts an attribute into its fields, or the first that takes any.
func (d *xmlDecoder) attribute(t *xmlTarget, a xml.Attr) error {
	handled := false
	var other *xmlField
	for _, f := range t.info.fields {
		switch f.mode {
		case xmlAttr:
			v := d.m.xmlValue(t.sv, f, true)
			if a.Name.Local == f.name && (f.space == "" || f.space == a.Name.Space) {
				if err := d.attr(v, a); err != nil {
					return err
				}
				handled = true
			}
		case xmlAny | xmlAttr:
			if other == nil {
				other = f
			}
		}
	}
	if handled || other == nil {
		return nil
	}
	return d.attr(d.m.xmlValue(t.sv, other, true), a)
}

// attr puts an attribute into v.
func (d *xmlDecoder) attr(v val, a xml.Attr) error {
	if v.t.kind == reflect.Pointer {
		if v.isNil() {
			d.m.allocate(v)
		}
		v = v.elem(d.m)
	}
	if recv, ok := d.m.xmlReceiver(v, "UnmarshalXMLAttr"); ok {
		res := d.m.callMethod(recv, "UnmarshalXMLAttr", &Obj{I: []int64{0}, S: []string{""}, R: []any{&a}}, 1)
		return d.m.errIn(res.R[0])
	}
	if recv, ok := d.m.xmlReceiver(v, "UnmarshalText"); ok {
		return d.unmarshalText(recv, d.more(nil, []byte(a.Value)))
	}
	if v.t.kind == reflect.Slice && v.t.elem.kind != reflect.Uint8 {
		return d.appended(v, func(e val) error { return d.attr(e, a) })
	}
	if v.t.host == xmlAttrType {
		d.setHost(v, a)
		return nil
	}
	return d.text(v, []byte(a.Value))
}

// content reads to the end of an element, and puts its parts where they go.
func (d *xmlDecoder) content(t *xmlTarget) error {
	var data, comment, inner []byte
	for {
		place := 0
		if t.inner.valid() {
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
			if t.data.valid() {
				data = d.more(data, tok)
			}
			continue
		case xml.Comment:
			if t.comment.valid() {
				comment = d.more(comment, tok)
			}
			continue
		case xml.EndElement:
		default:
			continue
		}
		if t.inner.valid() {
			inner = d.in.Saved(t.from, place)
			d.m.charge(int64(len(inner)))
			d.in.Forget()
		}
		break
	}
	if t.data.valid() {
		if err := d.data(t.data, data); err != nil {
			return err
		}
	}
	d.keep(t.comment, comment)
	d.keep(t.inner, inner)
	return nil
}

// child puts an element in an element into its field, or the one that takes any.
func (d *xmlDecoder) child(t *xmlTarget, start *xml.StartElement) error {
	if t.sv.valid() {
		done, err := d.path(t, nil, start)
		if done || err != nil {
			return err
		}
		if t.any.valid() {
			return d.value(t.any, start)
		}
	}
	return d.in.Skip()
}

// path looks for the field of an element that is in the elements parents, and follows
// paths that lead through it. done says that the element was read.
func (d *xmlDecoder) path(t *xmlTarget, parents []string, start *xml.StartElement) (done bool, err error) {
	d.m.tick()
	n := len(parents)
	leads := false
	for _, f := range t.info.fields {
		if f.mode&xmlElement == 0 || len(f.parents) < n || f.space != "" && f.space != start.Name.Space || !equalTexts(f.parents[:n], parents) {
			continue
		}
		if len(f.parents) == n && f.name == start.Name.Local {
			return true, d.value(d.m.xmlValue(t.sv, f, true), start)
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

// data stores character data.
func (d *xmlDecoder) data(v val, text []byte) error {
	if recv, ok := d.m.xmlReceiver(v, "UnmarshalText"); ok {
		return d.unmarshalText(recv, text)
	}
	return d.text(v, text)
}

// keep stores a comment or XML in a field that can hold it.
func (d *xmlDecoder) keep(v val, text []byte) {
	switch {
	case !v.valid():
	case v.t.kind == reflect.String:
		v.setStr(string(text))
	case v.t.kind == reflect.Slice && v.t.elem.kind == reflect.Uint8:
		d.setBytes(v, text)
	}
}

func (d *xmlDecoder) setBytes(v val, text []byte) {
	v.mustBeSettable("SetBytes")
	n := len(text)
	v.set(d.m, sliceCells(&Num[uint8]{text}, 0, n, n), 0)
}

// text stores a text as a value without parts.
func (d *xmlDecoder) text(v val, text []byte) error {
	whole := v.t
	if v.t.kind == reflect.Pointer {
		if v.isNil() {
			d.m.allocate(v)
		}
		v = v.elem(d.m)
	}
	k := v.kind()
	switch {
	case k == reflect.String:
		d.m.charge(int64(len(text)))
		v.setStr(string(text))
		return nil
	case k == reflect.Slice && v.t.elem.kind == reflect.Uint8:
		if text == nil {
			text = []byte{}
		}
		d.setBytes(v, text)
		return nil
	case k == reflect.Slice || k != reflect.Bool && !isFloat(v.t) && !isInteger(v.t):
		return errors.New("cannot unmarshal into " + whole.str)
	case len(text) == 0:
		v.setInt(0)
		return nil
	}
	return setNumber(v, strings.TrimSpace(string(text)))
}

// setNumber stores the number or truth value that a text is.
func setNumber(v val, s string) error {
	bits := bitsIn(v.t)
	switch {
	case v.t.kind == reflect.Bool:
		b, err := strconv.ParseBool(s)
		if err == nil {
			v.setInt(b2i(b))
		}
		return err
	case isFloat(v.t):
		f, err := strconv.ParseFloat(s, bits)
		if err == nil {
			v.setFloat(f)
		}
		return err
	case isUnsigned(v.t):
		n, err := strconv.ParseUint(s, 10, bits)
		if err == nil {
			v.setInt(int64(n))
		}
		return err
	}
	n, err := strconv.ParseInt(s, 10, bits)
	if err == nil {
		v.setInt(n)
	}
	return err
}

// bitsIn is the size of a number type.
func bitsIn(t *Type) int {
	if t.kind == reflect.Bool {
		return 8
	}
	return kindTypes[t.kind].Bits()
}
