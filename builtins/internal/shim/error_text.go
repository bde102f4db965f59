package shim

import (
	"errors"
	"reflect"
	"strings"
)

var (
	ErrorType = reflect.TypeFor[error]()
	AnyType   = reflect.TypeFor[any]()
)

// The text of an error that holds others is made when it is asked for, at each level
// anew, by code of the host's that cannot be interrupted. Errors may be held any number
// of times, so a few of them can make a text of any size. It is measured first.

// MakesText says whether errors of this type make their text of those of others, or of
// texts that they hold: types of the standard library. Those of fmt keep theirs.
func MakesText(rt reflect.Type) bool {
	base := rt
	if base.Kind() == reflect.Pointer {
		base = base.Elem()
	}
	path := base.PkgPath()
	first, _, _ := strings.Cut(path, "/")
	if path == "" || path == "fmt" || strings.Contains(first, ".") || !rt.Implements(ErrorType) {
		return false
	}
	_, unwraps := rt.MethodByName("Unwrap")
	return unwraps || path != "errors" && (base.Kind() == reflect.Struct || base.Kind() == reflect.String)
}

// payError charges for the text of err, before it is made.
func (e *Env) payError(err error) {
	m := Measure{Env: e}
	m.ErrorText(err)
	if rest := m.Bytes - m.Charged; m.Charged > 0 || rest > FreePrint {
		e.Charge(rest)
	}
	if m.Took >= FreePrint {
		e.Work(m.Took / TickTime)
	}
}

// ErrorText counts the text of err and those it is made of, and gives its length. Those
// of the script count when they are made.
func (m *Measure) ErrorText(err error) int64 {
	if err == nil {
		return 0
	}
	m.enter()
	defer func() { m.depth-- }()
	n := int64(0)
	switch rt := reflect.TypeOf(err); {
	case MakesText(rt):
		own := ownText(reflect.ValueOf(err))
		m.Took += own * QuoteRate // as many of them quote it
		n = own * Quoted
		switch err := err.(type) {
		case interface{ Unwrap() []error }:
			for _, inner := range err.Unwrap() {
				n += m.ErrorText(inner) + 1
			}
		case interface{ Unwrap() error }:
			n += m.ErrorText(err.Unwrap())
		}
	case HostError(err):
		n = int64(len(err.Error()))
	}
	m.Add(n)
	return n
}

// enter goes into an error, which holds others.
func (m *Measure) enter() {
	m.Env.Stepped(1)
	if m.depth++; m.depth > MaxDepth {
		panic(RuntimeError("error nested too deeply to print"))
	}
}

// ownText is the length of the texts in the fields of an error.
func ownText(v reflect.Value) int64 {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return 0
		}
		v = v.Elem()
	}
	n := int64(16)
	switch v.Kind() {
	case reflect.String:
		n += int64(v.Len())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.String {
				n += int64(f.Len())
			}
		}
	}
	return n
}

// PayingError is the Error method f of a type that makes its text.
func (e *Env) PayingError(f reflect.Value) reflect.Value {
	return reflect.MakeFunc(f.Type(), func(args []reflect.Value) []reflect.Value {
		err, ok := args[0].Interface().(error)
		switch {
		case !ok || args[0].Kind() == reflect.Pointer && args[0].IsNil():
		case args[0].Type() == joinedType:
			return []reflect.Value{reflect.ValueOf(e.joined(err))}
		default:
			e.payError(err)
		}
		return f.Call(args)
	})
}

// joinedType is that of what errors.Join returns.
var joinedType = reflect.TypeOf(errors.Join(errors.New("")))

// joined is the text of joined errors. Go makes that of each join from those of the joins in it, and
// how long the texts of a script's errors are only these say: so all are asked for, one after
// the other, and put together once.
func (e *Env) joined(err error) string {
	var texts []string
	m := Measure{Env: e}
	bytes, charged := 0, 0
	var add func(err error)
	add = func(err error) {
		m.enter()
		defer func() { m.depth-- }()
		if reflect.TypeOf(err) == joinedType {
			for _, inner := range err.(interface{ Unwrap() []error }).Unwrap() {
				add(inner)
			}
			return
		}
		if MakesText(reflect.TypeOf(err)) {
			e.payError(err)
		}
		text := err.Error()
		texts = append(texts, text)
		if bytes += len(text) + StringHeader; bytes-charged > FreePrint {
			e.Charge(int64(bytes - charged))
			charged = bytes
		}
	}
	add(err)
	e.PayText(CopyRate, bytes)
	return strings.Join(texts, "\n")
}

// HostError says whether err was made by errors or fmt.
func HostError(err error) bool {
	rt := reflect.TypeOf(err)
	if rt.Kind() == reflect.Pointer {
		rt = rt.Elem()
	}
	return rt.PkgPath() == "errors" || rt.PkgPath() == "fmt"
}
