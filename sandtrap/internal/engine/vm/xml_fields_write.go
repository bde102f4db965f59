package vm

import (
	"encoding/xml"
	"fmt"
	"reflect"
)

// fields writes what is between the tags of a struct.
func (e *xmlEncoder) fields(info *xmlInfo, v val) error {
	around := xmlParents{out: e.out}
	for _, f := range info.fields {
		if f.mode&xmlAttr != 0 {
			continue
		}
		fv := e.m.xmlValue(v, f, false)
		if !fv.valid() {
			continue
		}
		done := true
		var err error
		switch f.mode {
		case xmlCData, xmlCharData:
			if err = around.leave(f.parents); err == nil {
				err = e.charData(f, fv)
			}
		case xmlComment:
			if err = around.leave(f.parents); err == nil {
				err = e.comment(v, fv)
			}
		case xmlInner:
			done, err = e.inner(fv)
		default:
			done, err = false, around.enter(f, fv)
		}
		if err == nil && !done {
			err = e.value(fv, f, nil)
		}
		if err != nil {
			return err
		}
	}
	_ = around.leave(nil) // Go forgets this error, too
	return e.out.Failed()
}

func (e *xmlEncoder) charData(f *xmlField, v val) error {
	emit := e.out.Text
	if f.mode == xmlCData {
		emit = e.out.CData
	}
	if recv, ok := e.m.xmlReceiver(v, "MarshalText"); ok {
		text, err := e.m.callMarshal(recv, "MarshalText")
		if err != nil {
			return err
		}
		return emit(text)
	}
	v = e.indirect(v)
	if k := v.kind(); k == reflect.Array || k == reflect.Slice && v.t.host != reflect.TypeFor[[]byte]() {
		return nil
	}
	if text, err := e.simple(v); err == nil {
		return emit(text)
	}
	return nil
}

func (e *xmlEncoder) comment(v, fv val) error {
	fv = e.indirect(fv)
	k := fv.kind()
	if k != reflect.String && !(k == reflect.Slice && fv.t.elem.kind == reflect.Uint8) {
		return fmt.Errorf("xml: bad type for comment field of %s", v.t.str)
	}
	if fv.length() == 0 {
		return nil
	}
	text, _ := e.simple(fv)
	return e.out.Note(text)
}

// inner writes text that is XML already.
func (e *xmlEncoder) inner(v val) (done bool, err error) {
	v = e.indirect(v)
	if v.t != universe.str && v.t.host != reflect.TypeFor[[]byte]() {
		return false, nil
	}
	text, _ := e.simple(v)
	_ = e.out.Raw(text) // seen at the end
	return true, nil
}

// xmlParents are the elements that tags like "a>b" put around fields.
type xmlParents struct {
	out  xmlSink
	open []string
}

// leave closes those that are not around the next field.
func (p *xmlParents) leave(parents []string) error {
	n := 0
	for n < len(parents) && n < len(p.open) && parents[n] == p.open[n] {
		n++
	}
	for i := len(p.open) - 1; i >= n; i-- {
		if err := p.out.End(xml.Name{Local: p.open[i]}); err != nil {
			return err
		}
	}
	p.open = p.open[:n]
	return nil
}

// enter opens those of f, unless there is nothing to put into them.
func (p *xmlParents) enter(f *xmlField, v val) error {
	if err := p.leave(f.parents); err != nil {
		return err
	}
	if isNilRef(v) {
		return nil
	}
	for _, name := range f.parents[len(p.open):] {
		if err := p.out.Start(xml.StartElement{Name: xml.Name{Local: name}}); err != nil {
			return err
		}
		p.open = append(p.open, name)
	}
	return nil
}
