package egress

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A Secret is sent in one header of requests to some hosts, by https alone. Scripts do not see it, and what servers tell of it is
// replaced in responses.
type Secret struct {
	Name    string   `json:"name"`
	Value   Value    `json:"-"`                 // 8 to 4,096 visible ASCII characters, without % and \
	Hosts   []string `json:"hosts"`             // as Rule.Host, with a port if it is not 443: api.example.com, *.example.com:8443
	Methods []string `json:"methods,omitempty"` // as Rule.Methods
	Paths   []string `json:"paths,omitempty"`   // as Rule.Path; none is every path
	Header  string   `json:"header,omitempty"`  // its name; empty is Authorization
	Scheme  string   `json:"scheme,omitempty"`  // of the authorization, before the value: Bearer

	// OnRequest sends it only with requests whose context has it by WithSecret; else it is sent with each that matches.
	OnRequest bool `json:"on_request,omitempty"`
}

// A Value is that of a secret. Printed, encoded and logged it does not show it.
type Value struct{ text func() string } // of which reflection sees an address

// NewValue is the Value of a secret.
func NewValue(text string) Value { return Value{func() string { return text }} }

// reveal is the secret.
func (v Value) reveal() string {
	if v.text == nil {
		return ""
	}
	return v.text()
}

// Format prints no secret.
func (Value) Format(f fmt.State, _ rune) { fmt.Fprint(f, redacted) }

// MarshalText prints no secret.
func (Value) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// redacted stands in place of a secret.
const redacted = "[redacted]"

// Bounds of values: a shorter one is found everywhere.
const (
	minSecret = 8
	maxSecret = 4096
)

// secrets are those of a policy; nil if there are none.
type secrets struct {
	list  []*secret
	marks *marks
}

// A secret is a Secret that was checked.
type secret struct {
	name   string
	header string
	value  string // of the header
	on     bool
	rules  *ruleset // about the requests that it is sent with
}

type secretKey struct{}

// WithSecret is ctx for requests that are sent with the secrets of some names. They are refused where these may not be sent.
func WithSecret(ctx context.Context, names ...string) context.Context {
	before, _ := ctx.Value(secretKey{}).([]string)
	return context.WithValue(ctx, secretKey{}, slices.Concat(before, names))
}

// compileSecrets checks secrets for a policy with these rules.
func compileSecrets(list []Secret, rules *ruleset) (*secrets, error) {
	if len(list) == 0 {
		return nil, nil
	}
	all := &secrets{marks: &marks{}}
	var wrong []error
	for i := range list {
		s, err := compileSecret(&list[i], rules)
		if err == nil && slices.ContainsFunc(all.list, func(o *secret) bool { return o.name == s.name }) {
			err = errors.New("there are two of this name")
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("egress: secret %q: %w", list[i].Name, err))
			continue
		}
		all.list = append(all.list, s)
		all.marks.add(s.name, list[i].Value.reveal())
	}
	return all, errors.Join(wrong...)
}

func compileSecret(from *Secret, rules *ruleset) (*secret, error) {
	value := from.Value.reveal()
	s := &secret{name: from.Name, header: http.CanonicalHeaderKey(from.Header), value: value, on: from.OnRequest, rules: newRuleset(List)}
	if from.Header == "" {
		s.header = "Authorization"
	}
	if from.Scheme != "" {
		s.value = from.Scheme + " " + s.value
	}
	visible := func(text string) bool {
		return strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f }) < 0
	}
	switch {
	case s.name == "":
		return nil, errors.New("it has no name")
	case len(value) < minSecret || len(value) > maxSecret || !visible(value) || strings.ContainsAny(value, `%\`):
		return nil, fmt.Errorf("its value is not of %d to %d visible ASCII characters other than %% and \\", minSecret, maxSecret)
	case !visible(from.Scheme) || !isToken(s.header):
		return nil, errors.New("header and scheme are words of ASCII")
	case slices.Contains(framing, s.header) || slices.Contains([]string{"Upgrade", "Accept-Encoding"}, s.header):
		return nil, fmt.Errorf("header %s is the gate's", s.header)
	case slices.Contains(from.Methods, http.MethodConnect):
		return nil, errors.New("a secret is not sent with CONNECT, which the client encrypts")
	case len(from.Hosts) == 0:
		return nil, errors.New("it has no hosts, so it is never sent")
	}
	for _, host := range from.Hosts {
		if err := s.addHost(from, host, rules); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// addHost adds the requests to a host.
func (s *secret) addHost(from *Secret, host string, rules *ruleset) error {
	name, pattern := strings.CutPrefix(host, "*.")
	a, err := Canonical(name)
	if err != nil {
		return err
	}
	r := Rule{Host: a.Host, Methods: from.Methods, Loopback: true, Private: privateRanges}
	if pattern {
		r.Host = "*." + a.Host
	}
	if a.Port != 0 {
		r.Ports = []uint16{a.Port}
	}
	for _, path := range append(from.Paths, "")[:max(1, len(from.Paths))] {
		r.Path = path
		if err := s.rules.add(&r); err != nil {
			return fmt.Errorf("host %s: %w", host, err)
		}
		shown := r
		shown.Loopback, shown.Private = false, nil // those are the business of the rules of the policy
		s.rules.all[len(s.rules.all)-1].text = shown.String()
	}
	if rules.public == nil && !slices.ContainsFunc(rules.all, s.fits) {
		return fmt.Errorf("no rule allows https requests to %s", host)
	}
	return nil
}

// fits reports that requests by a rule of the policy may have the secret.
func (s *secret) fits(r *rule) bool {
	last := s.rules.all[len(s.rules.all)-1]
	return r.scheme == "https" && len(r.methods) > 0 && slices.Contains(r.ports, last.ports[0]) &&
		(r.host == last.host || parent(r.host) == last.host || r.host == parent(last.host))
}

// Secrets are the names of those that are sent with requests that have them by WithSecret, which scripts can use.
func (g *Gate) Secrets() (names []string) {
	for _, s := range g.secrets.each() {
		if s.on {
			names = append(names, s.name)
		}
	}
	slices.Sort(names)
	return names
}

func isToken(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// chooseSecrets finds the secrets that the request is sent with.
func (x *exchange) chooseSecrets() *decide.Denied {
	all := x.run.gate.secrets
	wanted, _ := x.req.Context().Value(secretKey{}).([]string)
	for _, name := range wanted {
		if !slices.ContainsFunc(all.each(), func(s *secret) bool { return s.name == name }) {
			return refused(x.method, &x.address, fmt.Sprintf("there is no secret %q", shown(name)), strings.TrimPrefix(didYouMean(name, all.names()), "; "))
		}
	}
	foreign := x.redirectedFrom()
	for _, s := range all.each() {
		asked := slices.Contains(wanted, s.name)
		fits := s.rules.match(x.method, &x.address) != nil
		switch {
		case s.on && !asked || !fits && !asked:
		case foreign:
			x.tell(Event{Kind: KindWithheld, Secret: s.name})
		case !fits:
			return refused(x.method, &x.address, fmt.Sprintf("the secret %q is for %s", s.name, listed(s.rules.all)), "")
		case !slices.ContainsFunc(x.attach, func(o *secret) bool { return o.header == s.header }):
			x.attach = append(x.attach, s)
		}
	}
	return nil
}

// redirectedFrom reports that the request follows a redirect from another host.
func (x *exchange) redirectedFrom() bool {
	for resp := x.req.Response; resp != nil && resp.Request != nil; resp = resp.Request.Response {
		from, reason := canonicalURL(resp.Request.URL)
		if reason != "" || from.Scheme != x.address.Scheme || from.Host != x.address.Host || from.Port != x.address.Port {
			return true
		}
	}
	return false
}

func (s *secrets) each() []*secret {
	if s == nil {
		return nil
	}
	return s.list
}

func (s *secrets) names() (names []string) {
	for _, one := range s.each() {
		names = append(names, one.name)
	}
	return names
}
