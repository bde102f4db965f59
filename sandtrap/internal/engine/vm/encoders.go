package vm

import "github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/gob"

// hostValues lets functions of the host look into values of the script.
type hostValues struct{ m *machine }

func (h hostValues) EncodeGob(v any) ([]byte, error) {
	return gob.Encode(h.m.lens(), &h.m.gobNames, hostIface(v))
}

func (h hostValues) DecodeGob(message []byte, v any) error {
	return gob.Decode(h.m.lens(), &h.m.gobNames, message, hostIface(v))
}

func (h hostValues) RegisterGob(name string, v any) {
	v = hostIface(v)
	if v == nil {
		throwNil()
	}
	h.m.gobNames.Register(h.m.lens(), name, v)
}
