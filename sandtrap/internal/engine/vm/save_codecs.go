package vm

import (
	"bytes"
	"context"
	"encoding"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/gob"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
)

// A hostCodec writes down a value of a struct of the host's, and makes it again.
type hostCodec struct {
	encode func(p any) ([]byte, error)
	decode func(p any, b []byte) error
}

// hostCodecs are the structs of the library whose values can be saved whatever they are, of those with fields that are
// not exported. Of others those can that are zero, such as a lock that nobody has.
var hostCodecs = map[reflect.Type]hostCodec{
	reflect.TypeFor[time.Time]():       byBinary,
	reflect.TypeFor[netip.Addr]():      byBinary,
	reflect.TypeFor[netip.AddrPort]():  byBinary,
	reflect.TypeFor[netip.Prefix]():    byBinary,
	reflect.TypeFor[big.Int]():         byGob,
	reflect.TypeFor[big.Rat]():         byGob,
	reflect.TypeFor[big.Float]():       byGob,
	reflect.TypeFor[url.URL]():         {urlSaved, urlLoaded},
	reflect.TypeFor[strings.Builder](): {func(p any) ([]byte, error) { return []byte(p.(*strings.Builder).String()), nil }, written},
	reflect.TypeFor[bytes.Buffer]():    {func(p any) ([]byte, error) { return bytes.Clone(p.(*bytes.Buffer).Bytes()), nil }, written},
	reflect.TypeFor[strings.Reader]():  {readerSaved, readerLoaded},
	reflect.TypeFor[bytes.Reader]():    {readerSaved, readerLoaded},
	reflect.TypeFor[atomic.Int32]():    byNumber[int32, *atomic.Int32](),
	reflect.TypeFor[atomic.Int64]():    byNumber[int64, *atomic.Int64](),
	reflect.TypeFor[atomic.Uint32]():   byNumber[uint32, *atomic.Uint32](),
	reflect.TypeFor[atomic.Uint64]():   byNumber[uint64, *atomic.Uint64](),
	reflect.TypeFor[atomic.Bool]():     byNumber[bool, *atomic.Bool](),
}

var byBinary = hostCodec{
	func(p any) ([]byte, error) { return p.(encoding.BinaryMarshaler).MarshalBinary() },
	func(p any, b []byte) error { return p.(encoding.BinaryUnmarshaler).UnmarshalBinary(b) },
}

var byGob = hostCodec{
	func(p any) ([]byte, error) { return p.(gob.GobEncoder).GobEncode() },
	func(p any, b []byte) error { return p.(gob.GobDecoder).GobDecode(b) },
}

// byNumber is for what holds one number behind methods.
func byNumber[N any, P interface {
	Load() N
	Store(N)
}]() hostCodec {
	return hostCodec{
		func(p any) ([]byte, error) { return binary.Append(nil, binary.BigEndian, p.(P).Load()) },
		func(p any, b []byte) error {
			var n N
			if _, err := binary.Decode(b, binary.BigEndian, &n); err != nil {
				return err
			}
			p.(P).Store(n)
			return nil
		},
	}
}

// written makes what was written to p again.
func written(p any, b []byte) error {
	_, err := p.(io.Writer).Write(b)
	return err
}

// urlSaved is the text of a URL, if that says all.
func urlSaved(p any) ([]byte, error) {
	u := p.(*url.URL)
	text := u.String()
	if same, err := url.Parse(text); err != nil || !reflect.DeepEqual(same, u) {
		return nil, errors.New("it holds a URL that is not as its text says")
	}
	return []byte(text), nil
}

func urlLoaded(p any, b []byte) error { return p.(*url.URL).UnmarshalBinary(b) }

// A textReader reads a text that it holds.
type textReader interface {
	io.ReaderAt
	io.Seeker
	Size() int64
}

// readerSaved is where the reader is, and all of its text.
func readerSaved(p any) ([]byte, error) {
	r := p.(textReader)
	at, err := r.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	out := binary.AppendUvarint(nil, uint64(at))
	text := make([]byte, r.Size())
	_, err = r.ReadAt(text, 0)
	if err == io.EOF {
		err = nil
	}
	return append(out, text...), err
}

func readerLoaded(p any, b []byte) error {
	at, n := binary.Uvarint(b)
	if n <= 0 {
		return errors.New("no place")
	}
	switch r := p.(type) {
	case *strings.Reader:
		r.Reset(string(b[n:]))
	case *bytes.Reader:
		r.Reset(bytes.Clone(b[n:]))
	}
	_, err := p.(io.Seeker).Seek(int64(at), io.SeekStart)
	return err
}

var errorStringType = reflect.TypeOf(errors.New(""))

// sentinels are values that are compared.
var sentinels = map[string]any{
	"io.EOF": io.EOF, "io.ErrUnexpectedEOF": io.ErrUnexpectedEOF, "io.ErrClosedPipe": io.ErrClosedPipe, "io.ErrNoProgress": io.ErrNoProgress,
	"io.ErrShortBuffer": io.ErrShortBuffer, "io.ErrShortWrite": io.ErrShortWrite, "fs.ErrNotExist": fs.ErrNotExist, "fs.ErrExist": fs.ErrExist,
	"fs.ErrPermission": fs.ErrPermission, "fs.ErrClosed": fs.ErrClosed, "fs.ErrInvalid": fs.ErrInvalid, "context.Canceled": context.Canceled,
	"context.DeadlineExceeded": context.DeadlineExceeded,
	"strconv.ErrRange":         strconv.ErrRange, "strconv.ErrSyntax": strconv.ErrSyntax, "errors.ErrUnsupported": errors.ErrUnsupported,
	"csv.ErrFieldCount": csv.ErrFieldCount, "csv.ErrQuote": csv.ErrQuote, "csv.ErrBareQuote": csv.ErrBareQuote,
	"time.UTC": time.UTC, "time.Local": time.Local,
	"base64.StdEncoding": base64.StdEncoding, "base64.URLEncoding": base64.URLEncoding, "base64.RawStdEncoding": base64.RawStdEncoding,
	"base64.RawURLEncoding": base64.RawURLEncoding, "base32.StdEncoding": base32.StdEncoding, "base32.HexEncoding": base32.HexEncoding,
}

// sentinelOf is the name of a sentinel.
func sentinelOf(o any) (name string, ok bool) {
	if !reflect.TypeOf(o).Comparable() {
		return "", false
	}
	for name, s := range sentinels {
		if s == o {
			return name, true
		}
	}
	return "", false
}

// dataErrors are errors of the library that are plain data: they need not be of a type that the session names.
var dataErrors = map[string]reflect.Type{
	"strconv.NumError": reflect.TypeFor[strconv.NumError](), "fs.PathError": reflect.TypeFor[fs.PathError](),
	"url.Error": reflect.TypeFor[url.Error](), "time.ParseError": reflect.TypeFor[time.ParseError](),
	"csv.ParseError": reflect.TypeFor[csv.ParseError](),
}

// dataErrorOf is the name of a type of dataErrors.
func dataErrorOf(rt reflect.Type) string {
	for name, t := range dataErrors {
		if t == rt {
			return name
		}
	}
	return ""
}

// wrapping are the types of errors that wrap others.
var wrapping = []string{"fmt.wrapError", "fmt.wrapErrors", joined}

const joined = "errors.joinError"

// wrappingOf is the one of wrapping that err is of.
func wrappingOf(err error) (kind string, ok bool) {
	rt := reflect.TypeOf(err)
	if rt.Kind() != reflect.Pointer {
		return "", false
	}
	if far, ok := err.(exec.GoNamed); ok { // of the other process
		kind = strings.TrimPrefix(far.GoName(), "*")
		return kind, slices.Contains(wrapping, kind)
	}
	kind = rt.Elem().PkgPath() + "." + rt.Elem().Name()
	return kind, slices.Contains(wrapping, kind)
}

// wrapped makes an error again that wraps list. None of these is asked for its text, which the host may have to be asked
// for, or which may be long.
func wrapped(kind, text string, list []error) error {
	switch {
	case kind == joined && len(list) > 0:
		return errors.Join(list...)
	case kind == "fmt.wrapError" && len(list) == 1, kind == "fmt.wrapErrors" && len(list) > 1:
		args := make([]any, 1+len(list))
		args[0] = text
		for i, e := range list {
			args[i+1] = silent{e, &args[i+1]}
		}
		return fmt.Errorf("%s"+strings.Repeat("%w", len(list)), args...)
	}
	return nil
}

// A silent is an argument of fmt.Errorf that prints nothing, and then is the error in its place.
type silent struct {
	error
	at *any
}

func (s silent) Format(fmt.State, rune) { *s.at = s.error }
