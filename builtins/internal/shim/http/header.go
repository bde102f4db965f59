package http

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimnet "github.com/sandtrap-go/sandtrap/builtins/internal/shim/net"
)

// payHeader asks for the time and the memory of something that reads all of h and makes a copy.
func payHeader(e *shim.Env, h http.Header) { payForm(e, map[string][]string(h)) }

// HeaderPut is for methods that store a value under a key, which they spell in their own way.
func HeaderPut(f func(h http.Header, key, value string)) func(*shim.Env) func(h http.Header, key, value string) {
	return func(e *shim.Env) func(h http.Header, key, value string) {
		return func(h http.Header, key, value string) {
			e.PayText(shimnet.MailRate, len(key))
			e.Charge(int64(len(key)) + headerEntry)
			f(h, key, value)
		}
	}
}

func HeaderDel(e *shim.Env) func(h http.Header, key string) {
	return func(h http.Header, key string) {
		e.PayText(shimnet.MailRate, len(key))
		h.Del(key)
	}
}

func HeaderClone(e *shim.Env) func(http.Header) http.Header {
	return func(h http.Header) http.Header {
		payHeader(e, h)
		return h.Clone()
	}
}

func HeaderWrite(e *shim.Env) func(http.Header, io.Writer) error {
	return func(h http.Header, w io.Writer) error {
		payHeader(e, h)
		return h.Write(e.Keeper(w))
	}
}

func HeaderWriteSubset(e *shim.Env) func(http.Header, io.Writer, map[string]bool) error {
	return func(h http.Header, w io.Writer, exclude map[string]bool) error {
		payHeader(e, h)
		return h.WriteSubset(e.Keeper(w), exclude)
	}
}

// payCookie asks for the time and the memory of the text of c.
func payCookie(e *shim.Env, c *http.Cookie) {
	if c != nil {
		size := len(c.Name) + len(c.Value) + len(c.Path) + len(c.Domain) + headerEntry
		e.PayText(requestRate, size)
		e.PayCopies(requestCopies, size)
	}
}

// silent is c without what Go drops of it with a line in the log of the process, which is the host's.
func silent(c *http.Cookie) *http.Cookie {
	if c == nil {
		return nil
	}
	clean := *c
	clean.Value, clean.Path = without(c.Value, "\";\\"), without(c.Path, ";")
	if clean.Domain != "" && (&http.Cookie{Name: "a", Domain: c.Domain}).Valid() != nil {
		clean.Domain = ""
	}
	return &clean
}

// without is s without some bytes, and without all that are not printed ones of ASCII.
func without(s, some string) string {
	drops := func(b byte) bool { return b < ' ' || b >= 0x7f || strings.IndexByte(some, b) >= 0 }
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if !drops(s[i]) {
			out = append(out, s[i])
		}
	}
	return string(out)
}

func CookieString(e *shim.Env) func(*http.Cookie) string {
	return func(c *http.Cookie) string {
		payCookie(e, c)
		return silent(c).String()
	}
}

func CookieValid(e *shim.Env) func(*http.Cookie) error {
	return func(c *http.Cookie) error {
		payCookie(e, c)
		return c.Valid()
	}
}

// A silentJar is the jar of a client, whose cookies Go's client puts into requests.
type silentJar struct{ http.CookieJar }

func (j silentJar) Cookies(u *url.URL) []*http.Cookie {
	list := j.CookieJar.Cookies(u)
	clean := make([]*http.Cookie, len(list))
	for i, c := range list {
		clean[i] = silent(c)
	}
	return clean
}

func ParseCookie(e *shim.Env) func(string) ([]*http.Cookie, error) {
	return func(line string) ([]*http.Cookie, error) {
		e.PayText(requestRate, len(line))
		e.PayCopies(cookieBytes, len(line)) // a cookie may be two bytes
		return http.ParseCookie(line)
	}
}

func ParseSetCookie(e *shim.Env) func(string) (*http.Cookie, error) {
	return func(line string) (*http.Cookie, error) {
		e.PayText(requestRate, len(line))
		e.PayCopies(cookieBytes, len(line))
		return http.ParseSetCookie(line)
	}
}

const cookieBytes = 160

func ParseHTTPVersion(e *shim.Env) func(string) (major, minor int, ok bool) {
	return func(vers string) (major, minor int, ok bool) {
		e.PayText(requestRate, len(vers))
		return http.ParseHTTPVersion(vers)
	}
}

func ParseTime(e *shim.Env) func(string) (time.Time, error) {
	return func(text string) (time.Time, error) {
		e.PayText(requestRate, len(text))
		e.PayCopies(requestCopies, len(text))
		return http.ParseTime(text)
	}
}
