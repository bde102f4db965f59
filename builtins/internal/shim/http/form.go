package http

import (
	"bytes"
	"errors"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"reflect"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimmime "github.com/sandtrap-go/sandtrap/builtins/internal/shim/mime"
)

// payingBody is body for code of the host that makes a form of what it reads.
func payingBody(e *shim.Env, body io.ReadCloser) io.ReadCloser {
	if body == nil {
		return nil
	}
	return &formBody{shim.PayingReader{R: body, Env: e, Pay: func(p []byte) { payFields(e, p) }}, body}
}

// A formBody is what payingBody returns.
type formBody struct {
	shim.PayingReader
	closer io.Closer
}

func (b *formBody) Close() error {
	b.Env.Enter()
	defer b.Env.Leave()
	return b.closer.Close()
}

// payFields pays for the fields of a form, in any encoding.
func payFields(e *shim.Env, text []byte) {
	shimmime.PayParts(e, text)
	e.Charge(headerEntry * int64(bytes.Count(text, []byte{'&'})))
}

// parsing calls f with r as the host reads a form of it.
func parsing(e *shim.Env, r *http.Request, f func(*http.Request) error) error {
	payRequest(e, r)
	if r.URL != nil {
		payFields(e, []byte(r.URL.RawQuery))
	}
	if r.Body != nil && reflect.TypeOf(r.Body) != reflect.TypeOf(BytesReader) {
		body := r.Body
		r.Body = payingBody(e, body)
		defer func() { r.Body = body }()
	}
	return f(r)
}

func parseForm(e *shim.Env, r *http.Request) error {
	return parsing(e, r, (*http.Request).ParseForm)
}

// parseMultipart keeps all files in memory: there is no place of the host's for others.
func parseMultipart(e *shim.Env, r *http.Request) error {
	if byReader(r) {
		return errByReader
	}
	return parsing(e, r, func(r *http.Request) error { return r.ParseMultipartForm(math.MaxInt64) })
}

func RequestParseForm(e *shim.Env) func(*http.Request) error {
	return func(r *http.Request) error { return parseForm(e, r) }
}

func RequestParseMultipartForm(e *shim.Env) func(*http.Request, int64) error {
	return func(r *http.Request, _ int64) error { return parseMultipart(e, r) }
}

func RequestFormValue(e *shim.Env) func(*http.Request, string) string {
	return func(r *http.Request, key string) string {
		if r.Form == nil {
			parseMultipart(e, r)
		}
		return r.Form.Get(key)
	}
}

func RequestPostFormValue(e *shim.Env) func(*http.Request, string) string {
	return func(r *http.Request, key string) string {
		if r.PostForm == nil {
			parseMultipart(e, r)
		}
		return r.PostForm.Get(key)
	}
}

var errByReader = errors.New("http: multipart handled by MultipartReader")

func RequestFormFile(e *shim.Env) func(*http.Request, string) (multipart.File, *multipart.FileHeader, error) {
	open := shimmime.MultipartOpen(e)
	return func(r *http.Request, key string) (multipart.File, *multipart.FileHeader, error) {
		if r.MultipartForm == nil || byReader(r) {
			if err := parseMultipart(e, r); err != nil {
				return nil, nil, err
			}
		}
		if r.MultipartForm != nil {
			if files := r.MultipartForm.File[key]; len(files) > 0 {
				f, err := open(files[0])
				return f, files[0], err
			}
		}
		return nil, nil, http.ErrMissingFile
	}
}

// RequestMultipartReader does not call Go's, which leaves a form in r that all requests of the process share.
func RequestMultipartReader(e *shim.Env) func(*http.Request) (*multipart.Reader, error) {
	read, media := shimmime.MultipartNewReader(e), shimmime.ParseMediaType(e)
	return func(r *http.Request) (*multipart.Reader, error) {
		switch {
		case byReader(r):
			return nil, errors.New("http: MultipartReader called twice")
		case r.MultipartForm != nil:
			return nil, errors.New("http: multipart handled by ParseMultipartForm")
		}
		r.MultipartForm = &multipart.Form{}
		v := r.Header.Get("Content-Type")
		if v == "" {
			return nil, http.ErrNotMultipart
		}
		if r.Body == nil {
			return nil, errors.New("missing form body")
		}
		kind, params, err := media(v)
		if err != nil || kind != "multipart/form-data" && kind != "multipart/mixed" {
			return nil, http.ErrNotMultipart
		}
		boundary, ok := params["boundary"]
		if !ok {
			return nil, http.ErrMissingBoundary
		}
		return read(r.Body, boundary), nil
	}
}

// byReader reports that MultipartReader was called.
func byReader(r *http.Request) bool {
	f := r.MultipartForm
	return f != nil && f.Value == nil && f.File == nil
}

func RequestPathValue(e *shim.Env) func(*http.Request, string) string {
	return func(r *http.Request, name string) string {
		e.PayText(requestRate, len(r.Pattern))
		return r.PathValue(name)
	}
}

func RequestSetPathValue(e *shim.Env) func(r *http.Request, name, value string) {
	return func(r *http.Request, name, value string) {
		e.PayText(requestRate, len(r.Pattern))
		e.Charge(int64(len(name)) + headerEntry)
		r.SetPathValue(name, value)
	}
}
