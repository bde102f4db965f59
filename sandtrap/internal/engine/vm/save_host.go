package vm

import (
	"context"
	"encoding"
	"errors"
	"io"
	"io/fs"
	"math/big"
	"reflect"
	"strconv"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/gob"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

// A hostCodec writes down a value of a struct of the host's, and makes it again.
type hostCodec struct {
	encode func(p any) ([]byte, error)
	decode func(p any, b []byte) error
}

// hostCodecs are the structs of the host's whose values can be saved whatever they are.
// Of others those can that are zero, such as a lock that nobody has.
var hostCodecs = map[reflect.Type]hostCodec{
	reflect.TypeFor[time.Time](): {
		func(p any) ([]byte, error) { return p.(encoding.BinaryMarshaler).MarshalBinary() },
		func(p any, b []byte) error { return p.(encoding.BinaryUnmarshaler).UnmarshalBinary(b) },
	},
	reflect.TypeFor[big.Int]():   byGob,
	reflect.TypeFor[big.Rat]():   byGob,
	reflect.TypeFor[big.Float](): byGob,
}

var byGob = hostCodec{
	func(p any) ([]byte, error) { return p.(gob.GobEncoder).GobEncode() },
	func(p any, b []byte) error { return p.(gob.GobDecoder).GobDecode(b) },
}

// sentinels are errors that are compared.
var sentinels = map[string]error{
	"io.EOF": io.EOF, "io.ErrUnexpectedEOF": io.ErrUnexpectedEOF, "io.ErrClosedPipe": io.ErrClosedPipe, "io.ErrNoProgress": io.ErrNoProgress,
	"io.ErrShortBuffer": io.ErrShortBuffer, "io.ErrShortWrite": io.ErrShortWrite, "fs.ErrNotExist": fs.ErrNotExist, "fs.ErrExist": fs.ErrExist,
	"fs.ErrPermission": fs.ErrPermission, "fs.ErrClosed": fs.ErrClosed, "fs.ErrInvalid": fs.ErrInvalid, "context.Canceled": context.Canceled,
	"strconv.ErrRange": strconv.ErrRange, "strconv.ErrSyntax": strconv.ErrSyntax, "errors.ErrUnsupported": errors.ErrUnsupported,
}

var errorStringType = reflect.TypeOf(errors.New(""))

// hostSaved writes down a value of the host's: what a pointer leads to, or what is in an
// interface.
func (s *saver) hostSaved(o any) (engine.Object, bool) {
	if kind, text, ok := exec.RuntimeErrorOf(o); ok {
		return engine.Object{Kind: kind, S: []string{text}}, true
	}
	switch o := o.(type) {
	case *exec.HostVals:
		return s.hostList(o)
	case error:
		for name, e := range sentinels {
			if e == o {
				return engine.Object{Kind: "sentinel", Name: name}, true
			}
		}
		if reflect.TypeOf(o) == errorStringType {
			return engine.Object{Kind: "error", S: []string{o.Error()}}, true
		}
	}
	v := reflect.ValueOf(o)
	if v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
		return s.hostStruct("host pointer", v)
	}
	if v.Kind() == reflect.Struct {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		return s.hostStruct("host value", p)
	}
	t, k := s.Program.HostType(v.Type()), ir.KindTypes[v.Kind()]
	if t == nil || k == nil {
		return engine.Object{}, false
	}
	basic, _ := basicSaved(v.Convert(k).Interface())
	return engine.Object{Kind: "host basic", Type: s.typ(t), R: []engine.Value{basic}}, true
}

func (s *saver) hostStruct(kind string, p reflect.Value) (engine.Object, bool) {
	rt := p.Type().Elem()
	t := s.Program.HostType(rt)
	if t == nil || t.Kind != ir.KindHost {
		return engine.Object{}, false
	}
	out := engine.Object{Kind: kind, Type: s.typ(t)}
	if p.Elem().IsZero() {
		out.Name = "zero"
		return out, true
	}
	codec, ok := hostCodecs[rt]
	if !ok {
		return out, false
	}
	b, err := codec.encode(p.Interface())
	if err != nil {
		s.refuse("%v", err)
	}
	out.Bytes = b
	return out, true
}

// hostList writes down elements that the host could hold too.
func (s *saver) hostList(h *exec.HostVals) (engine.Object, bool) {
	if !exec.HeldByHost(h.T) {
		return engine.Object{}, false
	}
	out := engine.Object{Kind: "host list", Type: s.typ(h.T), N: h.V.Len()}
	for i := range h.V.Len() {
		switch e := h.V.Index(i); {
		case e.Kind() == reflect.Struct:
			p := reflect.New(e.Type())
			p.Elem().Set(e)
			out.R = append(out.R, s.value(p.Interface()))
		default:
			basic, _ := basicSaved(e.Convert(ir.KindTypes[e.Kind()]).Interface())
			out.R = append(out.R, basic)
		}
	}
	return out, true
}

// hostText names a value of the host's.
func (s *saver) hostText(o any) string {
	switch o.(type) {
	case exec.HostVar, *exec.HostVals:
		return "memory of the host"
	case reflect.Value, mirror.Rtype:
		return "a value of package reflect"
	}
	if s.machine.Host.Host == nil { // no run goes on, which could tell more names
		if t := exec.DynType(s.Program, o); t != nil {
			return "a value of type " + t.Str
		}
		return "a value of the host"
	}
	return "a value of type " + s.machine.DynName(o)
}
