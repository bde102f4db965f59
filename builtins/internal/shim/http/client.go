package http

import (
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// clientOf is c as it is used: with the transport of the run. Its time is the transport's to keep, since a client of Go would start
// a goroutine for it. Redirects, cookies and errors are Go's.
func clientOf(e *shim.Env, c *http.Client) *http.Client {
	t := &transport{env: e}
	if c.Timeout > 0 {
		t.until = time.Now().Add(c.Timeout)
	}
	own := &http.Client{Transport: t, CheckRedirect: c.CheckRedirect}
	if c.Jar != nil {
		own.Jar = silentJar{c.Jar}
	}
	return own
}

// defaultClient is what a run has as http.DefaultClient.
type defaultClient struct{ c *http.Client }

func defaultOf(e *shim.Env) **http.Client {
	d := shim.State[defaultClient](e)
	if d.c == nil {
		d.c = &http.Client{}
	}
	return &d.c
}

// DefaultClient is the run's own.
func DefaultClient(e *shim.Env) **http.Client { return defaultOf(e) }

func ClientDo(e *shim.Env) func(*http.Client, *http.Request) (*http.Response, error) {
	return func(c *http.Client, req *http.Request) (*http.Response, error) { return do(e, c, req) }
}

func do(e *shim.Env, c *http.Client, req *http.Request) (*http.Response, error) {
	payRequest(e, req)
	e.Enter() // what a client or a request holds may make requests too
	defer e.Leave()
	return clientOf(e, c).Do(req)
}

func ClientGet(e *shim.Env) func(*http.Client, string) (*http.Response, error) {
	return func(c *http.Client, url string) (*http.Response, error) {
		return send(e, c, http.MethodGet, url, "", nil)
	}
}

func ClientHead(e *shim.Env) func(*http.Client, string) (*http.Response, error) {
	return func(c *http.Client, url string) (*http.Response, error) {
		return send(e, c, http.MethodHead, url, "", nil)
	}
}

func ClientPost(e *shim.Env) func(*http.Client, string, string, io.Reader) (*http.Response, error) {
	return func(c *http.Client, url, contentType string, body io.Reader) (*http.Response, error) {
		return send(e, c, http.MethodPost, url, contentType, body)
	}
}

func ClientPostForm(e *shim.Env) func(*http.Client, string, url.Values) (*http.Response, error) {
	return func(c *http.Client, url string, data url.Values) (*http.Response, error) {
		return postForm(e, c, url, data)
	}
}

// ClientCloseIdle does nothing: connections are the host's.
func ClientCloseIdle(*shim.Env) func(*http.Client) { return func(*http.Client) {} }

func Get(e *shim.Env) func(string) (*http.Response, error) {
	return func(url string) (*http.Response, error) {
		return send(e, *defaultOf(e), http.MethodGet, url, "", nil)
	}
}

func Head(e *shim.Env) func(string) (*http.Response, error) {
	return func(url string) (*http.Response, error) {
		return send(e, *defaultOf(e), http.MethodHead, url, "", nil)
	}
}

func Post(e *shim.Env) func(string, string, io.Reader) (*http.Response, error) {
	return func(url, contentType string, body io.Reader) (*http.Response, error) {
		return send(e, *defaultOf(e), http.MethodPost, url, contentType, body)
	}
}

func PostForm(e *shim.Env) func(string, url.Values) (*http.Response, error) {
	return func(url string, data url.Values) (*http.Response, error) {
		return postForm(e, *defaultOf(e), url, data)
	}
}

// send makes a request and has c do it.
func send(e *shim.Env, c *http.Client, method, url, contentType string, body io.Reader) (*http.Response, error) {
	req, err := NewRequest(e)(method, url, body)
	if err != nil {
		return nil, err
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", contentType)
	}
	return do(e, c, req)
}

func postForm(e *shim.Env, c *http.Client, url string, data url.Values) (*http.Response, error) {
	return send(e, c, http.MethodPost, url, "application/x-www-form-urlencoded", encodedForm(e, data))
}
