package wrap

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/json"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

// MarshalJSON lets functions of the host that marshal what they are given see what
// they would see of a value of Go's. Those that escape HTML do so afterwards.
//
//go:noinline
func (w *plainVal) MarshalJSON() (text []byte, err error) {
	err = w.try(func() (err error) {
		text, err = mirror.JsonText(w.m, w.f, false)
		return err
	})
	return text, err
}

// UnmarshalJSON does the same for pointers.
//
//go:noinline
func (w *plainVal) UnmarshalJSON(text []byte) error {
	return w.try(func() error { return json.Decode(mirror.Lens(w.m), text, w.f, false, false) })
}
