package proxy

import (
	"io"
	"net/http"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// forward makes a request in the absolute form.
func (k *client) forward(grant *Grant, req *http.Request) {
	switch a, err := egress.Canonical(req.RequestURI); {
	case strings.HasPrefix(req.RequestURI, "/") || req.RequestURI == "*":
		k.answer(http.StatusBadRequest, "this is a proxy: it takes CONNECT host:port, and requests with a whole URL, as GET http://host/path")
		return
	case err != nil:
		k.answer(http.StatusBadRequest, err.Error())
		return
	case a.Scheme != "http":
		k.answer(http.StatusBadRequest, "the proxy makes plain http requests alone: use CONNECT host:port for https")
		return
	}
	if req.Header.Get("Expect") != "" {
		req.Header.Del("Expect")
		if _, err := io.WriteString(k.conn, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
			return
		}
	}
	dropHopByHop(req.Header)
	body := req.Body
	req.RequestURI, req.Body = "", struct {
		io.Reader
		io.Closer
	}{active{k, nil, body}, body}
	if body == http.NoBody {
		req.Body = body
	}
	resp, err := grant.run.RoundTrip(req.WithContext(k.ctx))
	if err != nil {
		k.refuse(err)
		return
	}
	defer resp.Body.Close()
	k.respond(req, resp)
}

// respond sends a response on. The connection ends with it; one that ends early can be told from a whole one.
func (k *client) respond(req *http.Request, resp *http.Response) {
	dropHopByHop(resp.Header)
	resp.Close, resp.TransferEncoding, resp.Trailer = true, nil, nil
	resp.ProtoMajor, resp.ProtoMinor = 1, min(1, req.ProtoMinor)
	if resp.ContentLength < 0 && req.ProtoMinor > 0 {
		resp.TransferEncoding = []string{"chunked"}
	}
	if resp.Body != http.NoBody {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{active{k, nil, resp.Body}, resp.Body}
	}
	resp.Write(active{k, k.conn, nil})
}

// dropHopByHop removes what is for one connection alone, and what it names.
func dropHopByHop(h http.Header) {
	for _, list := range h["Connection"] {
		for name := range strings.SplitSeq(list, ",") {
			h.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range []string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Connection", "Te", "Trailer"} {
		h.Del(name)
	}
}
