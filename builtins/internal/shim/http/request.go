package http

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimcontext "github.com/sandtrap-go/sandtrap/builtins/internal/shim/context"
	shimnet "github.com/sandtrap-go/sandtrap/builtins/internal/shim/net"
)

func NewRequest(e *shim.Env) func(method, url string, body io.Reader) (*http.Request, error) {
	make := NewRequestWithContext(e)
	return func(method, url string, body io.Reader) (*http.Request, error) {
		return make(shimcontext.Background(), method, url, body)
	}
}

func NewRequestWithContext(e *shim.Env) func(ctx context.Context, method, url string, body io.Reader) (*http.Request, error) {
	return func(ctx context.Context, method, url string, body io.Reader) (*http.Request, error) {
		e.PayText(requestRate, len(method)+len(url))
		e.PayCopies(requestCopies, len(method)+len(url))
		e.Charge(requestBytes)
		return http.NewRequestWithContext(ctx, method, url, body)
	}
}

const requestBytes = 1 << 10

func RequestWithContext(e *shim.Env) func(*http.Request, context.Context) *http.Request {
	return func(r *http.Request, ctx context.Context) *http.Request {
		e.Charge(requestBytes)
		return r.WithContext(ctx)
	}
}

func RequestClone(e *shim.Env) func(*http.Request, context.Context) *http.Request {
	return func(r *http.Request, ctx context.Context) *http.Request {
		e.Charge(requestBytes)
		payRequest(e, r)
		payForm(e, r.Form)
		payForm(e, r.PostForm)
		payForm(e, url.Values(r.Trailer))
		return r.Clone(ctx)
	}
}

func payForm(e *shim.Env, v url.Values) {
	size := 0
	for key, list := range v {
		size += len(key) + headerEntry
		for _, s := range list {
			size += len(s) + headerEntry
		}
	}
	e.PayText(requestRate, size)
	e.PayCopies(1, size)
}

func encodedForm(e *shim.Env, data url.Values) io.Reader {
	return strings.NewReader(shimnet.UrlValuesEncode(e)(data))
}

// ReadingRequest is for methods that read the header of a request.
func ReadingRequest[R any](f func(*http.Request) R) func(*shim.Env) func(*http.Request) R {
	return func(e *shim.Env) func(*http.Request) R {
		return func(r *http.Request) R {
			payRequest(e, r)
			return f(r)
		}
	}
}

func RequestBasicAuth(e *shim.Env) func(*http.Request) (username, password string, ok bool) {
	return func(r *http.Request) (username, password string, ok bool) {
		payRequest(e, r)
		return r.BasicAuth()
	}
}

func RequestSetBasicAuth(e *shim.Env) func(r *http.Request, username, password string) {
	return func(r *http.Request, username, password string) {
		e.PayText(requestRate, len(username)+len(password))
		e.PayCopies(requestCopies, len(username)+len(password)+headerEntry)
		r.SetBasicAuth(username, password)
	}
}

func RequestCookie(e *shim.Env) func(*http.Request, string) (*http.Cookie, error) {
	return func(r *http.Request, name string) (*http.Cookie, error) {
		payRequest(e, r)
		return r.Cookie(name)
	}
}

func RequestCookiesNamed(e *shim.Env) func(*http.Request, string) []*http.Cookie {
	return func(r *http.Request, name string) []*http.Cookie {
		payRequest(e, r)
		return r.CookiesNamed(name)
	}
}

func RequestAddCookie(e *shim.Env) func(*http.Request, *http.Cookie) {
	return func(r *http.Request, c *http.Cookie) {
		payRequest(e, r)
		payCookie(e, c)
		r.AddCookie(silent(c))
	}
}

func ResponseCookies(e *shim.Env) func(*http.Response) []*http.Cookie {
	return func(r *http.Response) []*http.Cookie {
		payHeader(e, r.Header)
		return r.Cookies()
	}
}

func ResponseLocation(e *shim.Env) func(*http.Response) (*url.URL, error) {
	return func(r *http.Response) (*url.URL, error) {
		payHeader(e, r.Header)
		if r.Request != nil {
			payRequest(e, r.Request)
		}
		return r.Location()
	}
}
