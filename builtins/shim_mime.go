package builtins

import (
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"slices"
	"strings"
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

// mimeRate is a rate for payText.
const mimeRate = 25

func mimeParseMediaType(e *Env) func(string) (string, map[string]string, error) {
	return func(v string) (string, map[string]string, error) {
		e.payText(mimeRate, len(v))
		return mime.ParseMediaType(v)
	}
}

// mimeFormatMediaType asks for values that are percent-encoded, in a text that grows.
func mimeFormatMediaType(e *Env) func(string, map[string]string) string {
	return func(t string, params map[string]string) string {
		size := len(t)
		for k, v := range params {
			e.stepped(1)
			size += len(k) + len(v)
		}
		if size >= largeText {
			e.chargeProduct(9, int64(size))
		}
		e.payText(2*mimeRate, size)
		return mime.FormatMediaType(t, params)
	}
}

func mimeEncode(e *Env) func(enc mime.WordEncoder, charset, s string) string {
	return func(enc mime.WordEncoder, charset, s string) string {
		e.payText(mimeRate, len(s))
		return enc.Encode(charset, s)
	}
}

// mimeAdded are the types that the script added, by extension.
type mimeAdded struct{ types map[string]string }

func mimeTypeByExtension(e *Env) func(string) string {
	return func(ext string) string {
		e.payText(mimeRate, len(ext))
		for _, key := range []string{ext, strings.ToLower(ext)} {
			if typ, ok := State[mimeAdded](e).types[key]; ok {
				return typ
			}
			if typ, ok := mimeTypes[key]; ok {
				return typ
			}
		}
		return ""
	}
}

func mimeAddExtensionType(e *Env) func(string, string) error {
	return func(ext, typ string) error {
		e.payText(mimeRate, len(ext)+len(typ))
		e.payCopies(quoted, len(ext)+len(typ))
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
		added := State[mimeAdded](e)
		if added.types == nil {
			added.types = map[string]string{}
		}
		e.charge(int64(len(ext)+len(typ)) + 100)
		added.types[ext], added.types[strings.ToLower(ext)] = typ, typ
		return nil
	}
}

func mimeExtensionsByType(e *Env) func(string) ([]string, error) {
	return func(typ string) ([]string, error) {
		e.payText(mimeRate, len(typ))
		want, _, err := mime.ParseMediaType(typ)
		if err != nil {
			return nil, err
		}
		var list []string
		for _, table := range []map[string]string{mimeTypes, State[mimeAdded](e).types} {
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

func quotedprintableNewReader(e *Env) func(io.Reader) *quotedprintable.Reader {
	return func(r io.Reader) *quotedprintable.Reader { return quotedprintable.NewReader(e.reader(r)) }
}

func quotedprintableNewWriter(e *Env) func(io.Writer) *quotedprintable.Writer {
	return func(w io.Writer) *quotedprintable.Writer { return quotedprintable.NewWriter(e.keeper(w)) }
}

func quotedprintableWrite(e *Env) func(*quotedprintable.Writer, []byte) (int, error) {
	return func(w *quotedprintable.Writer, p []byte) (int, error) { return e.inPiecesOf(shortPiece, p, into(w)) }
}
