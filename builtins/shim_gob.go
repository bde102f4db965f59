package builtins

import (
	"io"

	"github.com/sandtrap-go/sandtrap/internal/gob"
)

// gobValues is nil if there are none.
func (e *Env) gobValues() gob.Values {
	if e.Values == nil {
		return nil
	}
	return e.Values
}

func gobNewEncoder(e *Env) func(io.Writer) *gob.Encoder {
	return func(w io.Writer) *gob.Encoder { return gob.NewEncoder(e.writer(w), e.gobValues()) }
}

func gobNewDecoder(e *Env) func(io.Reader) *gob.Decoder {
	return func(r io.Reader) *gob.Decoder {
		return gob.NewDecoder(r, gob.Costs{Charge: e.charge, Check: e.check}, e.gobValues())
	}
}

func gobRegister(e *Env) func(any) {
	return func(v any) {
		if e.Values != nil {
			e.Values.RegisterGob("", v)
		}
	}
}

func gobRegisterName(e *Env) func(string, any) {
	return func(name string, v any) {
		if name == "" {
			panic("attempt to register empty name")
		}
		if e.Values != nil {
			e.Values.RegisterGob(name, v)
		}
	}
}
