package encoding

import (
	"io"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/gob"
)

// gobValues is nil if there are none.
func gobValues(e *shim.Env) gob.Values {
	if e.Values == nil {
		return nil
	}
	return e.Values
}

func GobNewEncoder(e *shim.Env) func(io.Writer) *gob.Encoder {
	return func(w io.Writer) *gob.Encoder { return gob.NewEncoder(e.Writer(w), gobValues(e)) }
}

func GobNewDecoder(e *shim.Env) func(io.Reader) *gob.Decoder {
	return func(r io.Reader) *gob.Decoder {
		return gob.NewDecoder(r, gob.Costs{Charge: e.Charge, Check: e.Check}, gobValues(e))
	}
}

func GobRegister(e *shim.Env) func(any) {
	return func(v any) {
		if e.Values != nil {
			e.Values.RegisterGob("", v)
		}
	}
}

func GobRegisterName(e *shim.Env) func(string, any) {
	return func(name string, v any) {
		if name == "" {
			panic("attempt to register empty name")
		}
		if e.Values != nil {
			e.Values.RegisterGob(name, v)
		}
	}
}
