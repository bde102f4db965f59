package carry

import (
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

// A Panic is what a function of the other process panicked with: an error with its text and the
// known ones that it wraps, a value of a basic type, or a text about anything else.
type Panic struct{ value any }

// NewPanic is what crosses of p, which something of the host panicked with.
func (e *Errors) NewPanic(p any) *Panic {
	switch p := p.(type) {
	case runtime.Error:
		return &Panic{runtimeError(p.Error())}
	case error:
		return &Panic{p}
	}
	if t := reflect.TypeOf(p); numbered(t) && (t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String) {
		return &Panic{p}
	}
	return &Panic{"panic with a " + e.typeNameOf(p)}
}

// Unwrap gives errors.As the error that it is, if it is one.
func (p *Panic) Unwrap() error {
	err, _ := p.value.(error)
	return err
}

func (p *Panic) Error() string { return fmt.Sprint(p.value) }

// Raise panics with it.
func (p *Panic) Raise() { panic(p.value) }

// A runtimeError is one of Go's runtime in the other process.
type runtimeError string

func (e runtimeError) Error() string { return string(e) }
func (e runtimeError) RuntimeError() {}

// maxPanic is how many bytes of one cross.
const maxPanic = 1 << 20

const (
	ofRuntime = "runtime "
	ofValue   = "value "
)

// PanicText is p as a text that ReadPanic reads. An error may panic when it is asked what it says.
func (e *Errors) PanicText(p *Panic) (text string) {
	defer func() {
		if recover() != nil {
			text = "panic with a " + e.typeNameOf(p.value)
		}
	}()
	if r, ok := p.value.(runtimeError); ok {
		return ofRuntime + string(r)
	}
	data, err := (&Handles{Errors: e}).say(true, func(w *writer) error { return w.dynamic(reflect.ValueOf(p.value), "") })
	if err != nil || len(data) > 2*maxPanic {
		text := p.Error()
		data, _ = Encode(text[:min(len(text), maxPanic)])
	}
	return ofValue + base64.StdEncoding.EncodeToString(data)
}

// ErrorText is err as a text that ReadError reads.
func (e *Errors) ErrorText(err error) string { return e.PanicText(&Panic{err}) }

// ReadError is the error of a text of ErrorText.
func (e *Errors) ReadError(text string) error {
	p := e.ReadPanic(text)
	if err, ok := p.value.(error); ok {
		return err
	}
	return errors.New(p.Error())
}

// ReadPanic is the panic of a text of PanicText.
func (e *Errors) ReadPanic(text string) *Panic {
	if r, is := strings.CutPrefix(text, ofRuntime); is {
		return &Panic{runtimeError(r)}
	}
	coded, _ := strings.CutPrefix(text, ofValue)
	data, err := base64.StdEncoding.DecodeString(coded)
	var value any = text
	if room := int64(MaxCall); err == nil {
		_, err = (&Handles{Errors: e}).hear(data, &room, true, func(r *reader) { value = r.dynamic().Interface() })
	}
	if err != nil {
		value = text
	}
	return &Panic{value}
}
