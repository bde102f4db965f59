// Package proxy gives child programs of a host the network of an egress.Gate: an HTTP proxy on a unix socket. A client asks for a tunnel
// with CONNECT, or for a plain http request in the absolute form, and shows the token of a Grant. See docs/network.md.
//
// It may not decide about a request, resolve a name, or dial: the gate does. It may not serve a process of another user, or
// one without a token.
package proxy
