package xml

import (
	"encoding/xml"
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// fields writes what is between the tags of a struct.
func (e *encoder) fields(info *info, v inspect.Value) error {
	around := parents{out: e.out}
	for _, f := range info.fields {
		if f.mode&inAttr != 0 {
			continue
		}
		fv := f.of(v, false)
		if fv == nil {
			continue
		}
		done := true
		var err error
		switch f.mode {
		case inCData, inCharData:
			if err = around.leave(f.parents); err == nil {
				err = e.charData(f, fv)
			}
		case inComment:
			if err = around.leave(f.parents); err == nil {
				err = e.comment(v, fv)
			}
		case inInner:
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

func (e *encoder) charData(f *field, v inspect.Value) error {
	emit := e.out.Text
	if f.mode == inCData {
		emit = e.out.CData
	}
	if recv, ok := receiver(v, "MarshalText"); ok {
		text, err := inspect.Marshal(recv, "MarshalText")
		if err != nil {
			return err
		}
		return emit(text)
	}
	v = e.indirect(v)
	if k := v.Kind(); k == reflect.Array || k == reflect.Slice && v.Type().Host() != reflect.TypeFor[[]byte]() {
		return nil
	}
	if text, err := e.simple(v); err == nil {
		return emit(text)
	}
	return nil
}

func (e *encoder) comment(v, fv inspect.Value) error {
	fv = e.indirect(fv)
	k := fv.Kind()
	if k != reflect.String && !(k == reflect.Slice && fv.Type().Elem().Kind() == reflect.Uint8) {
		return fmt.Errorf("xml: bad type for comment field of %s", v.Type().String())
	}
	if fv.Len() == 0 {
		return nil
	}
	text, _ := e.simple(fv)
	return e.out.Note(text)
}

// inner writes text that is XML already.
func (e *encoder) inner(v inspect.Value) (done bool, err error) {
	v = e.indirect(v)
	if v.Type().Host() != reflect.TypeFor[string]() && v.Type().Host() != reflect.TypeFor[[]byte]() {
		return false, nil
	}
	text, _ := e.simple(v)
	_ = e.out.Raw(text) // seen at the end
	return true, nil
}

// parents are the elements that tags like "a>b" put around fields.
type parents struct {
	out  Sink
	open []string
}

// leave closes those that are not around the next field.
func (p *parents) leave(parents []string) error {
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
func (p *parents) enter(f *field, v inspect.Value) error {
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
