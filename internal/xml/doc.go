// Package xml has the encoder and decoder of encoding/xml for values that are not
// Go's own: it knows the text, and asks an engine for the values. It has the name of
// Go's package, of which scripts take it to be.
//
// It may not look into a value itself: it asks the engine.
package xml

import (
	goxml "encoding/xml"
	"errors"
)

// Costs are asked before memory and time are used. They do not return if a run has to
// end.
type Costs struct {
	Charge func(bytes int64)
	Check  func()
	Work   func(ticks int64) // some 10 ns each
}

// Values look into values of a script.
type Values interface {
	EncodeXML(v any, encoder any, start *goxml.StartElement) error
	DecodeXML(decoder any, v any, start *goxml.StartElement) error
}

var errNoValues = errors.New("xml: this engine does not look into values")

// Marshaler and Unmarshaler are those of encoding/xml.
type (
	Marshaler interface {
		MarshalXML(e *Encoder, start goxml.StartElement) error
	}
	Unmarshaler interface {
		UnmarshalXML(d *Decoder, start goxml.StartElement) error
	}
)
