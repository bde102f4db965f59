package vm

import (
	"errors"
	"fmt"
	"io"
	"reflect"
)

// Scan lets fmt's scanning functions store through a pointer of the script's, as
// they do through a pointer of the host's to the same kind.
//
//go:noinline
func (w *plainVal) Scan(s fmt.ScanState, verb rune) error {
	return w.try(func() error { return w.scan(s, verb) })
}

func (w *plainVal) scan(s fmt.ScanState, verb rune) error {
	t := w.f.T
	if t.kind != reflect.Pointer {
		return errors.New("type not a pointer: " + t.str)
	}
	e := t.elem
	rt := kindTypes[e.kind]
	if e.kind == reflect.Slice {
		rt = e.host
	}
	if rt == nil || t.w() != 1 {
		return errors.New("can't scan type: " + t.str)
	}
	if verb != 'c' {
		s.SkipSpace()
	}
	if _, _, err := s.ReadRune(); err == io.EOF {
		panic(io.EOF) // which fmt takes for itself; returned, it would be unexpected
	} else if err == nil {
		s.UnreadRune()
	}
	v := reflect.New(rt)
	if _, err := fmt.Fscanf(s, "%"+string(verb), v.Interface()); err != nil {
		return err
	}
	o := newObj(e.w(), mI|mS|mR, 1)
	fromHost(w.m, v.Elem(), e, o, 0)
	copyValue(e, memOf(w.f.R), int(w.f.I), o, 0)
	return nil
}
