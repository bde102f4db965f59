package wrap

import (
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
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
	if t.Kind != reflect.Pointer {
		return errors.New("type not a pointer: " + t.Str)
	}
	e := t.Elem
	rt := ir.KindTypes[e.Kind]
	if e.Kind == reflect.Slice {
		rt = e.Host
	}
	if rt == nil || t.W() != 1 {
		return errors.New("can't scan type: " + t.Str)
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
	o := ir.NewObj(e.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	exec.FromHost(w.m, v.Elem(), e, o, 0)
	exec.CopyValue(e, exec.MemOf(w.f.R), int(w.f.I), o, 0)
	return nil
}
