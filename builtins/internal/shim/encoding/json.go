package encoding

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/jsontext"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

func costs(e *shim.Env) jsontext.Costs {
	return jsontext.Costs{Charge: e.Charge, Check: e.Check}
}

func JsonValid(e *shim.Env) func([]byte) bool {
	return func(data []byte) bool { return jsontext.Check(data, costs(e)) == nil }
}

func JsonCompact(e *shim.Env) func(*bytes.Buffer, []byte) error {
	return func(dst *bytes.Buffer, src []byte) error {
		b := jsontext.Buffer{Pay: costs(e)}
		err := b.Compact(src, false)
		appendText(e, dst, b.B)
		return err
	}
}

func JsonIndent(e *shim.Env) func(*bytes.Buffer, []byte, string, string) error {
	return func(dst *bytes.Buffer, src []byte, prefix, indent string) error {
		b := jsontext.Buffer{Pay: costs(e)}
		err := b.Indent(src, prefix, indent)
		appendText(e, dst, b.B)
		return err
	}
}

func JsonHTMLEscape(e *shim.Env) func(*bytes.Buffer, []byte) {
	return func(dst *bytes.Buffer, src []byte) {
		b := jsontext.Buffer{Pay: costs(e)}
		b.HTMLEscape(src)
		appendText(e, dst, b.B)
	}
}

// appendText writes to a buffer what was paid for when it was made.
func appendText(e *shim.Env, dst *bytes.Buffer, text []byte) {
	e.GrowBuffer(dst, len(text))
	dst.Write(text)
}

func JsonMarshal(e *shim.Env) func(any) ([]byte, error) {
	return func(v any) ([]byte, error) { return MarshalJSON(e, v, true) }
}

func MarshalJSON(e *shim.Env, v any, html bool) ([]byte, error) {
	if e.Values != nil {
		return e.Values.EncodeJSON(v, html)
	}
	e.PayPrint("%#v", []any{v}, true)
	if err := onlyPlain(e, reflect.ValueOf(v), 0, encodedTypes); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(html)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func JsonMarshalIndent(e *shim.Env) func(any, string, string) ([]byte, error) {
	return func(v any, prefix, indent string) ([]byte, error) {
		text, err := MarshalJSON(e, v, true)
		if err != nil {
			return nil, err
		}
		b := jsontext.Buffer{Pay: costs(e)}
		err = b.Indent(text, prefix, indent)
		return b.B, err
	}
}

func JsonUnmarshal(e *shim.Env) func([]byte, any) error {
	return func(data []byte, v any) error {
		if err := jsontext.Check(data, costs(e)); err != nil {
			return err
		}
		return unmarshalJSON(e, data, v, false, false)
	}
}

// unmarshalJSON decodes a valid text.
func unmarshalJSON(e *shim.Env, text []byte, v any, number, strict bool) error {
	if e.Values != nil {
		return e.Values.DecodeJSON(text, v, number, strict)
	}
	payValues(e, text)
	if err := onlyPlain(e, reflect.ValueOf(v), 0, decodedTypes); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if number {
		d.UseNumber()
	}
	if strict {
		d.DisallowUnknownFields()
	}
	return d.Decode(v)
}

// encodedTypes and decodedTypes are the types with a name whose values encoding/json
// itself may encode and decode: it would show, and set, what a policy hides.
var (
	encodedTypes = []reflect.Type{
		reflect.TypeFor[json.Number](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[time.Duration](), reflect.TypeFor[time.Time](),
	}
	decodedTypes = encodedTypes[:3] // a time is put into the zone of the host
)

// onlyPlain is an error if v holds a value of a type with a name that is not listed.
func onlyPlain(e *shim.Env, v reflect.Value, depth int, listed []reflect.Type) error {
	if !v.IsValid() || slices.Contains(listed, v.Type()) {
		return nil
	}
	if v.Type().PkgPath() != "" || v.Kind() == reflect.Struct {
		return fmt.Errorf("json: this engine does not encode or decode values of type %s", e.NameOf(v.Type()))
	}
	if depth > shim.MaxDepth {
		return errors.New("json: values are nested too deep, or in a circle")
	}
	if kinds.Elements.Has(v.Kind()) {
		elem := v.Type().Elem()
		if err := onlyPlain(e, reflect.Zero(elem), depth+1, listed); err != nil || kinds.Basic.Has(elem.Kind()) && v.Kind() != reflect.Map {
			return err
		}
	}
	for part := range kinds.Values(v) {
		if err := onlyPlain(e, part, depth+1, listed); err != nil {
			return err
		}
	}
	return nil
}

// payValues charges for what a text is decoded to: the most it can be made to take
// for each byte is that of an empty element.
func payValues(e *shim.Env, data []byte) {
	parts := bytes.Count(data, []byte(",")) + bytes.Count(data, []byte("[")) + bytes.Count(data, []byte("{"))
	e.Charge(int64(len(data)))
	e.ChargeProduct(int64(parts), 64)
}

// JSONEncoder is what a script sees as json.Encoder.
type JSONEncoder struct {
	env            *shim.Env
	w              io.Writer
	err            error
	html           bool
	prefix, indent string
}

func JsonNewEncoder(e *shim.Env) func(io.Writer) *JSONEncoder {
	return func(w io.Writer) *JSONEncoder { return &JSONEncoder{env: e, w: e.Writer(w), html: true} }
}

// SetIndent is that of json.Encoder.
func (j *JSONEncoder) SetIndent(prefix, indent string) { j.prefix, j.indent = prefix, indent }

// SetEscapeHTML is that of json.Encoder.
func (j *JSONEncoder) SetEscapeHTML(on bool) { j.html = on }

// HTML tells the engine how strings are written, or why nothing is.
func (j *JSONEncoder) HTML() (bool, error) { return j.html, j.err }

// Put writes the text of a value that the engine has encoded.
func (j *JSONEncoder) Put(text []byte) error {
	if j.prefix != "" || j.indent != "" {
		b := jsontext.Buffer{Pay: costs(j.env)}
		if err := b.Indent(text, j.prefix, j.indent); err != nil {
			return err
		}
		text = b.B
	}
	_, err := j.w.Write(append(text, '\n'))
	j.err = err
	return err
}

// Encode is that of json.Encoder.
func (j *JSONEncoder) Encode(v any) error {
	if j.err != nil {
		return j.err
	}
	text, err := MarshalJSON(j.env, v, j.html)
	if err != nil {
		return err
	}
	return j.Put(text)
}

// JSONDecoder is what a script sees as json.Decoder.
type JSONDecoder struct {
	env    *shim.Env
	s      *jsontext.Stream
	strict bool
}

func JsonNewDecoder(e *shim.Env) func(io.Reader) *JSONDecoder {
	return func(r io.Reader) *JSONDecoder { return &JSONDecoder{env: e, s: jsontext.NewStream(r, costs(e))} }
}

// UseNumber is that of json.Decoder.
func (j *JSONDecoder) UseNumber() { j.s.Number = true }

// DisallowUnknownFields is that of json.Decoder.
func (j *JSONDecoder) DisallowUnknownFields() { j.strict = true }

// Modes tells the engine how to decode.
func (j *JSONDecoder) Modes() (number, strict bool) { return j.s.Number, j.strict }

// Next gives the engine the text of the next value to decode, and Done is called
// when that was done.
func (j *JSONDecoder) Next() ([]byte, error) { return j.s.Next() }

// Done is called after Next.
func (j *JSONDecoder) Done() { j.s.Done() }

// Decode is that of json.Decoder.
func (j *JSONDecoder) Decode(v any) error {
	text, err := j.s.Next()
	if err != nil {
		return err
	}
	defer j.s.Done()
	return unmarshalJSON(j.env, text, v, j.s.Number, j.strict)
}

// Buffered is that of json.Decoder.
func (j *JSONDecoder) Buffered() io.Reader { return j.s.Buffered() }

// InputOffset is that of json.Decoder.
func (j *JSONDecoder) InputOffset() int64 { return j.s.Offset() }

// More is that of json.Decoder.
func (j *JSONDecoder) More() bool { return j.s.More() }

// Token is that of json.Decoder.
func (j *JSONDecoder) Token() (json.Token, error) { return j.s.Token() }
