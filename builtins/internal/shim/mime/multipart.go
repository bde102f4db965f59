package mime

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math"
	"mime/multipart"
	"net/textproto"
	"reflect"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimcrypto "github.com/sandtrap-go/sandtrap/builtins/internal/shim/crypto"
)

// What a message makes in memory of what is read: it is held twice while a buffer grows, and as a text then; each line may be
// a field of a header.
const (
	partCopies = 4
	lineBytes  = 300
	lineRate   = 100 // for PayText: keys of one byte each, in their canonical form
)

// PayParts pays for what a message makes of text.
func PayParts(e *shim.Env, text []byte) {
	e.Charge(partCopies*int64(len(text)) + lineBytes*int64(bytes.Count(text, []byte{'\n'})))
	e.Work(int64(len(text)) * lineRate / shim.TickTime)
}

func MultipartNewReader(e *shim.Env) func(io.Reader, string) *multipart.Reader {
	return func(r io.Reader, boundary string) *multipart.Reader {
		e.PayCopies(4, len(boundary))
		e.Charge(6 << 10) // the buffer
		return multipart.NewReader(&shim.PayingReader{R: r, Env: e, Pay: func(p []byte) { PayParts(e, p) }}, boundary)
	}
}

// MultipartReadForm keeps all files in memory: there is no place of the host's for others.
func MultipartReadForm(e *shim.Env) func(*multipart.Reader, int64) (*multipart.Form, error) {
	return func(r *multipart.Reader, maxMemory int64) (*multipart.Form, error) {
		e.Check()
		return r.ReadForm(math.MaxInt64)
	}
}

// MultipartOpen opens what ReadForm has kept. Of others, as of an empty file, Go would ask the system for a file without a name.
func MultipartOpen(e *shim.Env) func(*multipart.FileHeader) (multipart.File, error) {
	return func(fh *multipart.FileHeader) (multipart.File, error) {
		if reflect.ValueOf(fh).Elem().FieldByName("content").IsNil() {
			return nil, &fs.PathError{Op: "open", Err: fs.ErrNotExist}
		}
		return fh.Open()
	}
}

// MultipartPartName is for methods that parse the disposition of a part.
func MultipartPartName(f func(*multipart.Part) string) func(*shim.Env) func(*multipart.Part) string {
	return func(e *shim.Env) func(*multipart.Part) string {
		return func(p *multipart.Part) string {
			size := len(p.Header.Get("Content-Disposition"))
			e.PayText(Rate, size)
			e.PayCopies(shim.Quoted, size)
			return f(p)
		}
	}
}

// MultipartNewWriter has a boundary of the run's random numbers.
func MultipartNewWriter(e *shim.Env) func(io.Writer) *multipart.Writer {
	random := shimcrypto.CryptoRandReader(e)
	return func(w io.Writer) *multipart.Writer {
		out := multipart.NewWriter(e.Keeper(w))
		var b [30]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			panic(err)
		}
		if err := out.SetBoundary(fmt.Sprintf("%x", b[:])); err != nil {
			panic(err)
		}
		return out
	}
}

func MultipartCreatePart(e *shim.Env) func(*multipart.Writer, textproto.MIMEHeader) (io.Writer, error) {
	return func(w *multipart.Writer, h textproto.MIMEHeader) (io.Writer, error) {
		size := 0
		for key, list := range h {
			e.Stepped(1)
			for _, v := range list {
				size += len(key) + len(v) + 4
			}
		}
		payPart(e, size)
		return w.CreatePart(h)
	}
}

// payPart asks for the text of a header of size bytes, which is made in one piece.
func payPart(e *shim.Env, size int) {
	e.PayText(Rate, size)
	e.ChargeProduct(4, int64(size)+100)
}

func MultipartFormField(e *shim.Env) func(*multipart.Writer, string) (io.Writer, error) {
	return func(w *multipart.Writer, name string) (io.Writer, error) {
		payPart(e, 3*len(name))
		return w.CreateFormField(name)
	}
}

func MultipartFormFile(e *shim.Env) func(*multipart.Writer, string, string) (io.Writer, error) {
	return func(w *multipart.Writer, name, file string) (io.Writer, error) {
		payPart(e, 3*(len(name)+len(file)))
		return w.CreateFormFile(name, file)
	}
}

func MultipartWriteField(e *shim.Env) func(w *multipart.Writer, name, value string) error {
	return func(w *multipart.Writer, name, value string) error {
		payPart(e, 3*len(name)+len(value))
		return w.WriteField(name, value)
	}
}

func MultipartContentDisposition(e *shim.Env) func(name, file string) string {
	return func(name, file string) string {
		payPart(e, 3*(len(name)+len(file)))
		return multipart.FileContentDisposition(name, file)
	}
}
