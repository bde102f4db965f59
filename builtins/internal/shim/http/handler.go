package http

import (
	"io"
	"net/http"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// nested is h where the host calls it: handlers within handlers are on the stack of the host.
func nested(e *shim.Env, h http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		e.Check()
		e.Enter()
		defer e.Leave()
		h.ServeHTTP(w, r)
	}
}

// payURL asks for the time and the memory of changes to the URL of r.
func payURL(e *shim.Env, r *http.Request) {
	if r != nil && r.URL != nil {
		e.PayText(requestRate, urlSize(r.URL))
		e.PayCopies(requestCopies, urlSize(r.URL))
	}
}

func HandlerFuncServeHTTP(e *shim.Env) func(http.HandlerFunc, http.ResponseWriter, *http.Request) {
	return func(f http.HandlerFunc, w http.ResponseWriter, r *http.Request) {
		e.Check()
		e.Enter()
		defer e.Leave()
		f(w, r)
	}
}

func Error(e *shim.Env) func(http.ResponseWriter, string, int) {
	return func(w http.ResponseWriter, text string, code int) {
		e.PayText(requestRate, len(text))
		e.PayCopies(requestCopies, len(text))
		http.Error(w, text, code)
	}
}

// NotFound looks for a stop: the writer may be one of the host's.
func NotFound(e *shim.Env) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		e.Check()
		http.NotFound(w, r)
	}
}

func NotFoundHandler(e *shim.Env) func() http.Handler {
	return func() http.Handler { return http.HandlerFunc(NotFound(e)) }
}

func Redirect(e *shim.Env) func(http.ResponseWriter, *http.Request, string, int) {
	return func(w http.ResponseWriter, r *http.Request, url string, code int) {
		payURL(e, r)
		e.PayText(requestRate, len(url))
		e.PayCopies(redirectCopies, len(url))
		http.Redirect(w, r, url, code)
	}
}

const redirectCopies = 12 // percent signs, entities of HTML, and a clean path

func RedirectHandler(e *shim.Env) func(string, int) http.Handler {
	redirect := Redirect(e)
	return func(url string, code int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { redirect(w, r, url, code) })
	}
}

func SetCookie(e *shim.Env) func(http.ResponseWriter, *http.Cookie) {
	return func(w http.ResponseWriter, c *http.Cookie) {
		payCookie(e, c)
		http.SetCookie(w, silent(c))
	}
}

func StripPrefix(e *shim.Env) func(string, http.Handler) http.Handler {
	return func(prefix string, h http.Handler) http.Handler {
		if prefix == "" {
			return h
		}
		strip := http.StripPrefix(prefix, nested(e, h))
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			payURL(e, r)
			e.Charge(requestBytes)
			strip.ServeHTTP(w, r)
		})
	}
}

func AllowQuerySemicolons(e *shim.Env) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		allow := http.AllowQuerySemicolons(nested(e, h))
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			payURL(e, r)
			e.Charge(requestBytes)
			allow.ServeHTTP(w, r)
		})
	}
}

// MaxBytesReader pays for what is read as a form would: Go knows its readers by their type, so none can be around them.
func MaxBytesReader(e *shim.Env) func(http.ResponseWriter, io.ReadCloser, int64) io.ReadCloser {
	return func(w http.ResponseWriter, r io.ReadCloser, n int64) io.ReadCloser {
		return http.MaxBytesReader(w, payingBody(e, r), n)
	}
}

func MaxBytesHandler(e *shim.Env) func(http.Handler, int64) http.Handler {
	limited := MaxBytesReader(e)
	return func(h http.Handler, n int64) http.Handler {
		inner := nested(e, h)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			e.Charge(requestBytes)
			own := *r
			own.Body = limited(w, r.Body, n)
			inner(w, &own)
		})
	}
}

// BytesReader is what MaxBytesReader makes, for assertions.
var BytesReader = http.MaxBytesReader(nil, http.NoBody, 0)
