package carry

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"math/big"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"strconv"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// names are types that cross by name, in the order of their numbers in the bytes: the
// list is append-only. The first are written as their kind, the rest have a row in
// texts.
var names = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[string](),
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
	reflect.TypeFor[any](), reflect.TypeFor[error](),
	reflect.TypeFor[time.Duration](), reflect.TypeFor[time.Month](), reflect.TypeFor[time.Weekday](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[big.Int](), reflect.TypeFor[big.Rat](), reflect.TypeFor[big.Float](),
	reflect.TypeFor[netip.Addr](), reflect.TypeFor[netip.AddrPort](), reflect.TypeFor[netip.Prefix](), reflect.TypeFor[url.URL](),
	reflect.TypeFor[handle](), reflect.TypeFor[engine.Hidden](),
	reflect.TypeFor[json.RawMessage](), reflect.TypeFor[json.Number](), reflect.TypeFor[fs.FileMode](), reflect.TypeFor[url.Values](),
	reflect.TypeFor[strconv.NumError](), reflect.TypeFor[fs.PathError](), reflect.TypeFor[os.LinkError](), reflect.TypeFor[url.Error](),
	reflect.TypeFor[time.ParseError](), reflect.TypeFor[csv.ParseError](), reflect.TypeFor[base64.CorruptInputError](), reflect.TypeFor[hex.InvalidByteError](),
}

var numbers = func() map[reflect.Type]int {
	m := map[reflect.Type]int{}
	for i, t := range names {
		m[t] = i
	}
	return m
}()

// A marshaler is a type that says itself what is to cross of it.
type marshaler interface {
	MarshalBinary() ([]byte, error)
}

type textMarshaler interface {
	MarshalText() ([]byte, error)
}

// A text is how a type of names is written that is not written as its kind. Both get a
// pointer to it.
type text struct {
	write func(p any) ([]byte, error)
	read  func(p any, b []byte) error
}

var binaryText = text{
	func(p any) ([]byte, error) { return p.(marshaler).MarshalBinary() },
	func(p any, b []byte) error {
		return p.(interface{ UnmarshalBinary([]byte) error }).UnmarshalBinary(b)
	},
}

var plainText = text{
	func(p any) ([]byte, error) {
		if bitsOf(p) > maxBits {
			return nil, errTooLong
		}
		b, err := p.(textMarshaler).MarshalText()
		if len(b) > maxText {
			return nil, errTooLong
		}
		return b, err
	},
	func(p any, b []byte) error {
		if len(b) > maxText {
			return errTooLong
		}
		err := p.(interface{ UnmarshalText([]byte) error }).UnmarshalText(b)
		if err == nil && bitsOf(p) > maxBits {
			return errTooLong
		}
		return err
	},
}

// ratText takes no exponents, which none is written with: as that a number of a million digits is a few
// bytes.
var ratText = text{
	plainText.write,
	func(p any, b []byte) error {
		if bytes.ContainsAny(b, "eEpP") {
			return errors.New("a fraction with an exponent")
		}
		return plainText.read(p, b)
	},
}

// timeText is that of a time, with the name of its zone: a byte says how long what follows is without that.
var timeText = text{
	func(p any) ([]byte, error) {
		t := *p.(*time.Time)
		b, err := t.MarshalBinary()
		b = append([]byte{byte(len(b))}, b...)
		if name, _ := t.Zone(); len(name) < maxZone/2 && t.Location() != time.UTC && t.Location() != time.Local {
			b = append(append(b, '='), name...)
		}
		return b, err
	},
	func(p any, b []byte) error {
		if len(b) == 0 || int(b[0]) >= len(b) || len(b) > maxZone {
			return errors.New("no time")
		}
		t, zone := p.(*time.Time), b[1+int(b[0]):]
		if err := t.UnmarshalBinary(b[1 : 1+int(b[0])]); err != nil {
			return err
		}
		if len(zone) > 0 {
			_, offset := t.Zone()
			*t = t.In(time.FixedZone(string(zone[1:]), offset))
		}
		return nil
	},
}

// maxZone bounds the bytes of a time.
const maxZone = 1 << 10

// maxText bounds the text of a number: to write it, and to read it, takes time that grows with the square.
const (
	maxText = 1 << 16
	maxBits = maxText * 10 / 3 // a digit has a little less
)

var errTooLong = errors.New("the number is too long")

// bitsOf is how long a number is, in bits: of one with an exponent, as it would be without.
func bitsOf(p any) int {
	switch n := p.(type) {
	case *big.Int:
		return n.BitLen()
	case *big.Rat:
		return n.Num().BitLen() + n.Denom().BitLen()
	case *big.Float:
		exponent := n.MantExp(nil)
		return max(exponent, -exponent) + int(n.MinPrec())
	}
	return 0
}

var texts = map[reflect.Type]text{
	reflect.TypeFor[time.Time]():      timeText,
	reflect.TypeFor[big.Int]():        plainText,
	reflect.TypeFor[big.Rat]():        ratText,
	reflect.TypeFor[big.Float]():      plainText,
	reflect.TypeFor[netip.Addr]():     binaryText,
	reflect.TypeFor[netip.AddrPort](): binaryText,
	reflect.TypeFor[netip.Prefix]():   binaryText,
	reflect.TypeFor[url.URL]():        binaryText,
	reflect.TypeFor[engine.Hidden](): {
		func(p any) ([]byte, error) { return []byte(p.(*engine.Hidden).Type), nil },
		func(p any, b []byte) error { p.(*engine.Hidden).Type = string(b); return nil },
	},
}

// How a type that has no name here is written: an array of one of these and its parts.
const (
	typeName = iota // number
	typeSlice
	typeArray // length, element
	typeMap   // key, element
	typePointer
	typeStruct    // name, type, tag, …
	typeHost      // number: one of Types
	typeFunc      // number of parameters, whether variadic, parameters, results: of the worker's
	typeRecursive // number: see recursion. In fields of the worker's structs alone
)

// appendType writes t. path is where a value of it is.
func (h *Handles) appendType(b []byte, t reflect.Type, path string, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, &KindError{path, t.String(), "cannot be copied between host and worker: it is nested too deep, or holds itself"}
	}
	if h.are(t) {
		t = reflect.TypeFor[handle]()
	}
	if rt := h.structs().behind(t); rt != nil {
		t = rt
	}
	if n, ok := numbers[t]; ok {
		return head(head(head(b, majorArray, 2), majorUint, typeName), majorUint, uint64(n)), nil
	}
	if n, ok, err := h.structs().number(t, path, depth); err != nil {
		return nil, err
	} else if ok {
		return head(head(head(b, majorArray, 2), majorUint, typeHost), majorUint, uint64(n)), nil
	}
	if _, ok := h.structs().within(t); ok {
		return h.structs().appendRecursive(b, t, path)
	}
	switch t.Kind() {
	case reflect.Slice:
		b = head(head(b, majorArray, 2), majorUint, typeSlice)
		return h.appendType(b, t.Elem(), path+"[]", depth+1)
	case reflect.Pointer:
		b = head(head(b, majorArray, 2), majorUint, typePointer)
		return h.appendType(b, t.Elem(), path, depth+1)
	case reflect.Array:
		b = head(head(head(b, majorArray, 3), majorUint, typeArray), majorUint, uint64(t.Len()))
		return h.appendType(b, t.Elem(), path+"[]", depth+1)
	case reflect.Map:
		b = head(head(b, majorArray, 3), majorUint, typeMap)
		b, err := h.appendType(b, t.Key(), path+"[key]", depth+1)
		if err != nil {
			return nil, err
		}
		return h.appendType(b, t.Elem(), path+"[]", depth+1)
	case reflect.Struct:
		return h.appendStruct(b, t, path, depth)
	case reflect.Func:
		if h != nil && h.callbacks {
			return h.structs().EncodeCallback(b, t, path)
		}
		fallthrough
	case reflect.Interface:
		if t.PkgPath() != "" {
			return nil, &KindError{path, t.String(), "cannot be copied between host and worker: the interface is not a member of a package of the policy"}
		}
		fallthrough
	case reflect.Chan, reflect.UnsafePointer:
		return nil, &KindError{path, t.String(), "cannot be copied between host and worker"}
	}
	return h.appendType(b, plain(t), path, depth+1) // a number or a string with a name of the host's
}

// plain is the type without a name that has the kind of t, which is a basic one.
func plain(t reflect.Type) reflect.Type {
	for _, n := range names {
		if n.Kind() == t.Kind() && n.PkgPath() == "" {
			return n
		}
	}
	return t
}

// holdsItself is why a struct type that no policy lists does not cross.
const holdsItself = "cannot be copied between host and script: the type holds itself, and only a member of Packages or Funcs may: list it there"

// appendStruct writes the exported fields of a struct type. What it keeps to itself
// does not cross.
func (h *Handles) appendStruct(b []byte, t reflect.Type, path string, depth int) (_ []byte, err error) {
	if depth > maxDepth/2 {
		return nil, &KindError{"", t.String(), holdsItself}
	}
	fields := exported(t)
	if len(fields) == 0 && t.NumField() > 0 {
		return nil, &KindError{path, t.String(), "cannot be copied between host and worker: it has no field that is plain data on both sides"}
	}
	b = head(head(b, majorArray, uint64(1+3*len(fields))), majorUint, typeStruct)
	for _, f := range fields {
		b = appendText(b, f.Name)
		if b, err = h.appendType(b, f.Type, path+"."+f.Name, depth+1); err != nil {
			return nil, err
		}
		b = appendText(b, string(f.Tag))
	}
	return b, nil
}

func appendText(b []byte, s string) []byte {
	return append(head(b, majorText, uint64(len(s))), s...)
}

func exported(t reflect.Type) []reflect.StructField {
	fields := []reflect.StructField{}
	for f := range t.Fields() {
		if f.IsExported() {
			fields = append(fields, f)
		}
	}
	return fields
}

// unlisted is the name of a struct type of the host's that a type is made of and that is none
// of t, "" if there is none. On the other side it would be one without a name, whose exported
// fields everybody sees.
func (t *Types) unlisted(rt reflect.Type, seen map[reflect.Type]bool) string {
	if _, known := numbers[rt]; known || seen[rt] || t.find(rt) != nil {
		return ""
	}
	seen[rt] = true
	if rt.Kind() == reflect.Struct && rt.Name() != "" {
		return rt.String()
	}
	for part := range kinds.Parts(rt) {
		if name := t.unlisted(part, seen); name != "" {
			return name
		}
	}
	return ""
}

// HasStruct reports that the type of v, a value of a member, is made of a struct type of the
// host's.
func HasStruct(v any) bool {
	return v != nil && (*Types)(nil).unlisted(reflect.TypeOf(v), map[reflect.Type]bool{}) != ""
}
