package script

import (
	"encoding/xml"
	"reflect"
)

// Values is what functions of the host ask of an engine whose values are not Go's
// own, on the goroutine that they were called on and before they return.
type Values interface {
	// EncodeJSON is Marshal of encoding/json; html is SetEscapeHTML.
	EncodeJSON(v any, html bool) ([]byte, error)
	// DecodeJSON is Unmarshal of encoding/json for a valid text; number is UseNumber,
	// strict is DisallowUnknownFields.
	DecodeJSON(text []byte, v any, number, strict bool) error
	// EncodeXML is EncodeElement of encoding/xml, Encode if start is nil. The encoder
	// that a script knows writes the text.
	EncodeXML(v any, encoder any, start *xml.StartElement) error
	// DecodeXML is DecodeElement of encoding/xml.
	DecodeXML(decoder any, v any, start *xml.StartElement) error
	// GobEncoder makes what is written to a stream of encoding/gob: for each value some messages, with an error those
	// before it.
	GobEncoder() interface {
		Encode(v any) (messages [][]byte, err error)
	}
	// GobDecoder makes values of the messages of a stream, which come without their lengths. A nil v leaves one out.
	GobDecoder(from interface{ Message() ([]byte, error) }) interface{ Decode(v any) error }
	// RegisterGob is RegisterName of encoding/gob, Register without a name.
	RegisterGob(name string, v any)

	// Snapshot is a copy of v, as variables are handed out, of no more than room parts:
	// values in it, and bytes of text. ok is false if there is none.
	Snapshot(v any, room int) (value any, parts int, ok bool)

	// TypeName is the name of v's type for a value that stands for one of the script's, or
	// of the engine's own; of others it is "".
	TypeName(v any) string
	// Place is a made-up address for one of the host's memory.
	Place(p uintptr) uint64
}

// A View is a value of a script as functions of the host see it that take it apart: what stands for the value has
// a method ScriptView, see Viewer. It is used on the goroutine that the function was called on.
type View interface {
	Kind() reflect.Kind
	// TypeName is the name of the value's type, and Type the type itself: another one has another.
	TypeName() string
	Type() any
	// Comparable says whether the type is one of those that have ==.
	Comparable() bool
	// Marshals says whether the value encodes itself as JSON: what stands for it does for all.
	Marshals() bool
	// Text is how package context shows a value that has no String method for the host: by its own, or by its
	// type.
	Text() string
	// ZeroString is what a zero value of the type, or a pointer to one where that is a pointer, says of itself by
	// its method String; failed is what that panicked with.
	ZeroString() (text string, failed any)
	// Assign stores other, or what it points to, in the variable that the value points to. It reports false, and
	// stores nothing, where one of them is not there or of another type.
	Assign(other any) bool
}

// A Viewer stands for a value of a script.
type Viewer interface{ ScriptView() View }

// ViewOf is the view of v, nil if v is no value of a script's type.
func ViewOf(v any) View {
	if of, ok := v.(Viewer); ok {
		return of.ScriptView()
	}
	return nil
}
