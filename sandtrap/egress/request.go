package egress

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// decide reads the request, and finds the rule that allows it.
func (x *exchange) decide() *decide.Denied {
	g := x.run.gate
	x.method = x.req.Method
	if x.method == "" {
		x.method = http.MethodGet
	}
	text := urlText(x.req.URL)
	x.event = Event{Subject: x.run.subject, Method: shownMethod(x.method), URL: shown(withoutQuery(text))}
	a, reason := canonicalURL(x.req.URL)
	if reason != "" {
		return &decide.Denied{Code: decide.PolicyRefuses, Member: fmt.Sprintf("%s %q", shownMethod(x.method), shown(withoutQuery(text))), Reason: reason}
	}
	x.address = a
	x.event.URL, x.event.Host, x.event.Path = shown(a.Scheme+"://"+a.HostPort()+a.Path), a.Host, shown(a.Path)
	if x.rule = g.rules.match(x.method, &a); x.rule == nil {
		return g.rules.refusal(x.method, &a)
	}
	if denied := x.allowed(); denied != nil {
		return denied
	}
	if denied := x.checkHeader(); denied != nil {
		return denied
	}
	if denied := x.chooseSecrets(); denied != nil {
		return denied
	}
	return x.ask()
}

// allowed notes the rule, and refuses a special address that it does not open. Those of a name are not known yet.
func (x *exchange) allowed() *decide.Denied {
	x.event.Rule = x.rule.text
	if ip, ok := x.address.IP(); ok {
		if s, ok := x.rule.opens(ip); !ok {
			return x.denied(&addressError{x.address.Host, ip, s})
		}
	}
	return nil
}

// ask asks the host about a request that a rule allows.
func (x *exchange) ask() *decide.Denied {
	g := x.run.gate
	if g.options.Decide == nil {
		return nil
	}
	e := x.event
	e.Kind, e.Time = KindDecision, g.options.Clock()
	return x.refusal(g.options.Decide(x.req.Context(), e))
}

// refusal is an error of who decides, as the refusal that it is.
func (x *exchange) refusal(err error) *decide.Denied {
	if err == nil {
		return nil
	}
	if denied, ok := errors.AsType[*decide.Denied](err); ok {
		return denied
	}
	return refused(x.method, &x.address, err.Error(), "")
}

// watched has the Watch of the run decide too.
func (x *exchange) watched(denied *decide.Denied) *decide.Denied {
	if x.run.watch == nil {
		return denied
	}
	r := Request{Event: x.event, Query: x.address.Query}
	r.Kind, r.Time, r.Denied = KindDecision, x.run.gate.options.Clock(), denied
	for _, s := range x.attach {
		r.Secrets = append(r.Secrets, s.name)
	}
	later, err := x.run.watch(x.req.Context(), r)
	if denied == nil {
		denied = x.refusal(err)
	}
	if denied == nil {
		x.later = later
	}
	return denied
}

// withoutQuery is the text of a URL without what may have secrets.
func withoutQuery(text string) string {
	text, _, _ = strings.Cut(text, "?")
	if i := strings.LastIndexByte(text, '@'); i >= 0 {
		text = "...@" + text[i+1:]
	}
	return text
}

// urlText is u without its user. It is not u.String, which has percent signs for letters of the host.
func urlText(u *url.URL) string {
	text := u.Scheme + "://" + u.Host + u.EscapedPath()
	if u.RawQuery != "" {
		text += "?" + u.RawQuery
	}
	return text
}

// canonicalURL is the canonical form of u, or the reason why there is none.
func canonicalURL(u *url.URL) (a Address, reason string) {
	switch {
	case u.Opaque != "" || u.Host == "":
		return a, "it has no host"
	case u.User != nil:
		return a, namesUser
	}
	return canonical(urlText(u))
}

// checkHeader refuses headers with which a server would see another request than the gate.
func (x *exchange) checkHeader() *decide.Denied {
	if host := x.req.Host; host != "" {
		named, err := Canonical(x.address.Scheme + "://" + host)
		if err != nil || named.Host != x.address.Host || named.Port != x.address.Port {
			return refused(x.method, &x.address, fmt.Sprintf("its Host is %q", shown(host)), "make a request for that host")
		}
	}
	for name := range x.req.Header {
		if strings.EqualFold(name, "Upgrade") {
			return refused(x.method, &x.address, "a connection is not handed over to another protocol", "send requests without the header Upgrade")
		}
	}
	return nil
}

// request is what is sent: for the canonical URL, and nothing else.
func (x *exchange) request() (*http.Request, error) {
	g := x.run.gate
	to, err := url.Parse(x.address.String())
	if err != nil {
		return nil, err
	}
	size := headerSize(x.req.Header) + int64(len(x.method)+len(x.address.Path)+len(x.address.Query))
	if size+fieldCost*headerFields(x.req.Header) > g.limits.Header {
		return nil, &LimitError{Limit: Header, Max: g.limits.Header}
	}
	out := x.req.Clone(x.req.Context())
	out.URL, out.Host, out.Method, out.Trailer, out.Header = to, "", x.method, nil, canonicalHeader(x.req.Header)
	for _, name := range framing {
		delete(out.Header, name)
	}
	x.sent.Add(size + min(max(0, out.ContentLength), math.MaxInt64-size))
	x.encoded = out.Header.Get("Accept-Encoding") != "" || out.Header.Get("Range") != "" || x.method == http.MethodHead
	if g.secrets != nil || !x.encoded {
		out.Header.Set("Accept-Encoding", "gzip")
	}
	for _, s := range x.attach {
		out.Header.Set(s.header, s.value)
	}
	x.wrapBody(out)
	return out, nil
}
