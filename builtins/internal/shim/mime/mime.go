package mime

import (
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// Go's own table of types grows by files of the host's; this one is the same
// everywhere, and what a script adds is its own.
var mimeTypes = map[string]string{
	".avif": "image/avif", ".css": "text/css; charset=utf-8", ".csv": "text/csv; charset=utf-8", ".gif": "image/gif",
	".htm": "text/html; charset=utf-8", ".html": "text/html; charset=utf-8", ".ico": "image/vnd.microsoft.icon",
	".jpeg": "image/jpeg", ".jpg": "image/jpeg", ".js": "text/javascript; charset=utf-8", ".json": "application/json",
	".mjs": "text/javascript; charset=utf-8", ".pdf": "application/pdf", ".png": "image/png", ".svg": "image/svg+xml",
	".txt": "text/plain; charset=utf-8", ".wasm": "application/wasm", ".webp": "image/webp",
	".xml": "text/xml; charset=utf-8", ".zip": "application/zip",
}

// Rate is a rate for PayText.
const Rate = 25

func ParseMediaType(e *shim.Env) func(string) (string, map[string]string, error) {
	return func(v string) (string, map[string]string, error) {
		e.PayText(Rate, len(v))
		return mime.ParseMediaType(v)
	}
}

// FormatMediaType asks for values that are percent-encoded, in a text that grows.
func FormatMediaType(e *shim.Env) func(string, map[string]string) string {
	return func(t string, params map[string]string) string {
		size := len(t)
		for k, v := range params {
			e.Stepped(1)
			size += len(k) + len(v)
		}
		if size >= shim.LargeText {
			e.ChargeProduct(9, int64(size))
		}
		e.PayText(2*Rate, size)
		return mime.FormatMediaType(t, params)
	}
}

// DecoderOf is d for one call: the reader that its CharsetReader gives may never end, and all
// that comes is kept.
func DecoderOf(e *shim.Env, d *mime.WordDecoder) *mime.WordDecoder {
	if d == nil || d.CharsetReader == nil {
		return d
	}
	return &mime.WordDecoder{CharsetReader: func(charset string, input io.Reader) (io.Reader, error) {
		r, err := d.CharsetReader(charset, input)
		if err != nil || r == nil {
			return r, err
		}
		return e.Source(r), nil
	}}
}

// Decoding is for methods that decode the words of a text.
func Decoding(f func(*mime.WordDecoder, string) (string, error)) func(*shim.Env) func(*mime.WordDecoder, string) (string, error) {
	return func(e *shim.Env) func(*mime.WordDecoder, string) (string, error) {
		return func(d *mime.WordDecoder, text string) (string, error) {
			e.PayText(Rate, len(text))
			return f(DecoderOf(e, d), text)
		}
	}
}

func Encode(e *shim.Env) func(enc mime.WordEncoder, charset, s string) string {
	return func(enc mime.WordEncoder, charset, s string) string {
		e.PayText(Rate, len(s))
		return enc.Encode(charset, s)
	}
}

// mimeAdded are the types that the script added, by extension.
type mimeAdded struct{ types map[string]string }

func TypeByExtension(e *shim.Env) func(string) string {
	return func(ext string) string {
		e.PayText(Rate, len(ext))
		for _, key := range []string{ext, strings.ToLower(ext)} {
			if typ, ok := shim.State[mimeAdded](e).types[key]; ok {
				return typ
			}
			if typ, ok := mimeTypes[key]; ok {
				return typ
			}
		}
		return ""
	}
}

func AddExtensionType(e *shim.Env) func(string, string) error {
	return func(ext, typ string) error {
		e.PayText(Rate, len(ext)+len(typ))
		e.PayCopies(shim.Quoted, len(ext)+len(typ))
		if !strings.HasPrefix(ext, ".") {
			return fmt.Errorf("mime: extension %q missing leading dot", ext)
		}
		base, params, err := mime.ParseMediaType(typ)
		if err != nil {
			return err
		}
		if strings.HasPrefix(base, "text/") && params["charset"] == "" {
			params["charset"] = "utf-8"
			typ = mime.FormatMediaType(base, params)
		}
		added := shim.State[mimeAdded](e)
		if added.types == nil {
			added.types = map[string]string{}
		}
		e.Charge(int64(len(ext)+len(typ)) + 100)
		added.types[ext], added.types[strings.ToLower(ext)] = typ, typ
		return nil
	}
}

func ExtensionsByType(e *shim.Env) func(string) ([]string, error) {
	return func(typ string) ([]string, error) {
		e.PayText(Rate, len(typ))
		want, _, err := mime.ParseMediaType(typ)
		if err != nil {
			return nil, err
		}
		var list []string
		for _, table := range []map[string]string{mimeTypes, shim.State[mimeAdded](e).types} {
			for ext, have := range table {
				if base, _, _ := strings.Cut(have, ";"); base == want && !slices.Contains(list, ext) {
					list = append(list, ext)
				}
			}
		}
		slices.Sort(list)
		return list, nil
	}
}

func QuotedprintableNewReader(e *shim.Env) func(io.Reader) *quotedprintable.Reader {
	return func(r io.Reader) *quotedprintable.Reader { return quotedprintable.NewReader(e.Reader(r)) }
}

func QuotedprintableNewWriter(e *shim.Env) func(io.Writer) *quotedprintable.Writer {
	return func(w io.Writer) *quotedprintable.Writer { return quotedprintable.NewWriter(e.Keeper(w)) }
}

func QuotedprintableWrite(e *shim.Env) func(*quotedprintable.Writer, []byte) (int, error) {
	return func(w *quotedprintable.Writer, p []byte) (int, error) {
		return e.InPiecesOf(shim.ShortPiece, p, shim.Into(w))
	}
}
