package builtins

import "net/url"

// Rates for payText.
const (
	urlRate     = 30
	urlJoinRate = 90
)

// payURL asks for the time that something takes that reads all of u.
func (e *Env) payURL(u *url.URL) {
	if u != nil {
		e.payText(urlRate, urlSize(u))
	}
}

// urlSize is how many bytes of text a URL holds.
func urlSize(u *url.URL) int {
	if u == nil {
		return 0
	}
	return len(u.Scheme) + len(u.Opaque) + userinfoSize(u.User) + len(u.Host) + len(u.Path) + len(u.RawPath) +
		len(u.RawQuery) + len(u.Fragment) + len(u.RawFragment)
}

func userinfoSize(u *url.Userinfo) int {
	password, _ := u.Password()
	return len(u.Username()) + len(password)
}

func init() {
	HasText(func(_ *Env, u *url.Userinfo) (int64, int64) { return urlText(userinfoSize(u)) })
	HasText(func(_ *Env, u *url.URL) (int64, int64) { return urlText(urlSize(u)) })
	HasText(func(_ *Env, u url.URL) (int64, int64) { return urlText(urlSize(&u)) })
}

func urlText(size int) (bytes, took int64) { return urlTimes * int64(size), urlRate * int64(size) }

func userinfoString(e *Env) func(*url.Userinfo) string {
	return func(u *url.Userinfo) string {
		e.payText(urlRate, userinfoSize(u))
		return u.String()
	}
}

// readingURL is for methods that make a text of a URL.
func readingURL[R any](f func(*url.URL) R) func(*Env) func(*url.URL) R {
	return func(e *Env) func(*url.URL) R {
		return func(u *url.URL) R {
			e.payURL(u)
			return f(u)
		}
	}
}

func urlMarshalBinary(e *Env) func(*url.URL) ([]byte, error) {
	return func(u *url.URL) ([]byte, error) {
		e.payURL(u)
		return u.MarshalBinary()
	}
}

func urlAppendBinary(e *Env) func(*url.URL, []byte) ([]byte, error) {
	return func(u *url.URL, b []byte) ([]byte, error) {
		e.payURL(u)
		return u.AppendBinary(b)
	}
}

func urlParseAt(e *Env) func(*url.URL, string) (*url.URL, error) {
	return func(u *url.URL, ref string) (*url.URL, error) {
		e.payURL(u)
		e.payText(urlRate, len(ref))
		e.payCopies(urlTimes, urlSize(u)+len(ref))
		return u.Parse(ref)
	}
}

func urlResolveReference(e *Env) func(u, ref *url.URL) *url.URL {
	return func(u, ref *url.URL) *url.URL {
		e.payURL(u)
		e.payURL(ref)
		e.payCopies(urlTimes, urlSize(u)+urlSize(ref))
		return u.ResolveReference(ref)
	}
}

func urlJoin(e *Env) func(*url.URL, ...string) *url.URL {
	return func(u *url.URL, elem ...string) *url.URL {
		e.payURL(u)
		e.payCopies(urlTimes, urlSize(u))
		e.payAll(urlJoinRate, elem)
		return u.JoinPath(elem...)
	}
}

func urlJoinPath(e *Env) func(string, ...string) (string, error) {
	return func(base string, elem ...string) (string, error) {
		e.payText(urlJoinRate, len(base))
		e.payAll(urlJoinRate, elem)
		return url.JoinPath(base, elem...)
	}
}

// urlValuesEncode charges for the text, of three bytes for each that is escaped.
func urlValuesEncode(e *Env) func(url.Values) string {
	return func(v url.Values) string {
		size := 0
		for key, list := range v {
			for _, s := range list {
				size += len(key) + len(s) + 2
			}
		}
		e.payText(urlRate, size)
		if size >= largeText {
			e.chargeProduct(int64(size), urlTimes)
		}
		return v.Encode()
	}
}

// escapingURL is for functions that make up to three bytes of one.
func escapingURL(f func(string) string) func(*Env) func(string) string {
	return func(e *Env) func(string) string {
		return func(s string) string { return f(e.escaped(s, urlTimes)) }
	}
}
