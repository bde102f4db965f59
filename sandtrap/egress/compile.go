package egress

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/glob"
	"github.com/sandtrap-go/sandtrap/internal/weburl"
)

// A rule is a Rule that was checked.
type rule struct {
	text     string
	host     string // canonical; of a pattern, what is behind *.
	scheme   string
	ports    []uint16
	methods  []string
	tunnel   bool // it allows connections of the client's own
	anyPath  bool
	path     glob.Pattern
	private  []netip.Prefix
	loopback bool
}

// A ruleset has the rules of a policy, by host.
type ruleset struct {
	mode   Mode
	all    []*rule
	exact  map[string][]*rule
	below  map[string][]*rule // of patterns, by what is behind *.
	public *rule              // of Mode Public
}

// methodNames are the methods of requests. Rules may also have CONNECT, for a Tunnel.
var methodNames = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "TRACE", "PROPFIND", "PROPPATCH", "MKCOL", "COPY",
	"MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH"}

func newRuleset(m Mode) *ruleset {
	return &ruleset{mode: m, exact: map[string][]*rule{}, below: map[string][]*rule{}}
}

// compile checks the rules of p. The error has a line for each wrong one.
func compile(p *Policy) (*ruleset, error) {
	s := newRuleset(p.Mode)
	switch {
	case p.Mode == "" && len(p.Rules) > 0:
		s.mode = List
	case p.Mode == "":
		s.mode = None
	case !slices.Contains(Modes(), p.Mode):
		return nil, fmt.Errorf("egress: mode %q%s", p.Mode, didYouMean(string(p.Mode), []string{string(None), string(List), string(Public)}))
	case p.Mode == None && len(p.Rules) > 0:
		return nil, errors.New("egress: mode none allows nothing, but there are rules; write list")
	case p.Mode == List && len(p.Rules) == 0:
		return nil, errors.New("egress: mode list has no rules; write none")
	}
	if s.mode == Public {
		s.public = &rule{text: "all public addresses"}
	}
	var wrong []error
	for i := range p.Rules {
		if err := s.add(&p.Rules[i]); err != nil {
			wrong = append(wrong, fmt.Errorf("egress: rule %d (%s): %w", i+1, shown(p.Rules[i].String()), err))
		}
	}
	return s, errors.Join(wrong...)
}

// add adds a rule if nothing is wrong with it.
func (s *ruleset) add(from *Rule) error {
	r := &rule{text: from.String(), scheme: from.scheme(), ports: slices.Clone(from.Ports), methods: slices.Clone(from.methods()),
		private: slices.Clone(from.Private), loopback: from.Loopback}
	if schemes[r.scheme] == 0 {
		return fmt.Errorf("scheme %q%s", r.scheme, didYouMean(r.scheme, []string{"https", "http"}))
	}
	if len(r.ports) == 0 {
		r.ports = []uint16{schemes[r.scheme]}
	}
	if slices.Contains(r.ports, 0) {
		return errors.New("there is no port 0")
	}
	r.tunnel = slices.Contains(r.methods, http.MethodConnect)
	r.methods = slices.DeleteFunc(r.methods, func(m string) bool { return m == http.MethodConnect })
	for _, m := range r.methods {
		if !slices.Contains(methodNames, m) {
			return fmt.Errorf("method %q%s", m, didYouMean(m, append([]string{http.MethodConnect}, methodNames...)))
		}
	}
	if r.tunnel && (r.scheme != "https" || from.path() != anyPath) {
		return errors.New("CONNECT shows host and port alone: write a rule of its own for it, with https and without a path")
	}
	for _, p := range r.private {
		if err := checkPrivate(p); err != nil {
			return err
		}
	}
	if err := r.setPath(from.path()); err != nil {
		return err
	}
	to := s.exact
	host, pattern := strings.CutPrefix(from.Host, "*.")
	if pattern {
		to = s.below
	}
	if err := r.setHost(host, pattern); err != nil {
		return err
	}
	s.all = append(s.all, r)
	to[r.host] = append(to[r.host], r)
	return nil
}

func (r *rule) setHost(host string, pattern bool) error {
	if strings.Contains(host, "*") {
		return errors.New("a host is a name, or *. and at least two labels, as *.example.com; for all public hosts use mode public")
	}
	if strings.Contains(host, "/") {
		return fmt.Errorf("host %q is more than a name or an IP address; scheme, ports and path are fields of their own", host)
	}
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		if _, err := netip.ParseAddr(host); err != nil {
			return fmt.Errorf("host %q has a port; ports are a field of their own", host)
		}
		host = "[" + host + "]"
	}
	canonical, reason := canonicalHost(host)
	if reason != "" {
		return &ParseError{shown(host), reason}
	}
	a := Address{Host: canonical}
	ip, isIP := a.IP()
	switch {
	case pattern && (isIP || !strings.Contains(canonical, ".")):
		return errors.New("behind the *. there are at least two labels, as in *.example.com")
	case canonical == "localhost" && !r.loopback:
		return errors.New("localhost is this machine; add loopback")
	case isIP:
		if s, ok := r.opens(ip); !ok {
			return fmt.Errorf("%s is %s; %s", ip, s.Why, wayForward(ip, s))
		}
	}
	r.host = canonical
	return nil
}

// checkPrivate is an error unless rules may open p.
func checkPrivate(p netip.Prefix) error {
	if !p.IsValid() || p != p.Masked() {
		return fmt.Errorf("private: %s is not a range of addresses; did you mean %s?", p, p.Masked())
	}
	for _, s := range specials {
		if s.Opens == Private && s.Prefix.Bits() <= p.Bits() && s.Prefix.Contains(p.Addr()) {
			return nil
		}
	}
	for _, s := range specials {
		if s.Opens != Private && s.Prefix.Overlaps(p) {
			return fmt.Errorf("private: no rule can open %s, which has addresses that are %s", p, s.Why)
		}
	}
	return fmt.Errorf("private: %s is not within a private range, as 10.0.0.0/8 and fc00::/7 are", p)
}

func (r *rule) setPath(path string) error {
	if r.anyPath = path == anyPath; r.anyPath {
		return nil
	}
	if strings.ContainsAny(path, "?#") {
		return errors.New("queries and fragments are not compared; write the path without ? and #")
	}
	sent, reason := sentPath(path)
	words, ok := segments(sent)
	if !ok || reason != "" || !strings.HasPrefix(path, "/") {
		return fmt.Errorf("path %q is not of the form /v1/users/*", path)
	}
	var err error
	r.path, err = glob.Parse(strings.Join(words, "/"), "/")
	if len(words) == 0 {
		r.path = nil
	}
	return err
}

// segments are those of a path, decoded. It is not ok if servers do not all read it alike.
func segments(path string) (words []string, ok bool) {
	path, err := weburl.Path(path)
	if err != nil {
		return nil, false
	}
	path = strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/")
	if path == "" {
		return nil, true
	}
	words = strings.Split(path, "/")
	for _, w := range words {
		if w == "" || w == "." || w == ".." {
			return nil, false
		}
	}
	return words, true
}

// opens reports that requests by r may go to an address. If not, it is a special one.
func (r *rule) opens(ip netip.Addr) (Special, bool) {
	s, isSpecial := SpecialOf(ip)
	if !isSpecial {
		return s, true
	}
	switch s.Opens {
	case Loopback:
		return s, r.loopback
	case Private:
		return s, slices.ContainsFunc(r.private, func(p netip.Prefix) bool { return p.Contains(ip.Unmap()) })
	}
	return s, false
}

// wayForward says what opens a special address.
func wayForward(ip netip.Addr, s Special) string {
	switch ip = ip.Unmap(); s.Opens {
	case Loopback:
		return "add loopback to the rule of its host if it is meant"
	case Private:
		return fmt.Sprintf("add private=%s to the rule of its host if it is meant", netip.PrefixFrom(ip, ip.BitLen()))
	}
	return "no rule can open it"
}

// about are the rules about a host, first those that have its name.
func (s *ruleset) about(host string) [2][]*rule {
	return [2][]*rule{s.exact[host], s.below[parent(host)]}
}

// match is the first rule that allows a request; nil if there is none.
func (s *ruleset) match(method string, a *Address) *rule {
	words, read, clear := []string(nil), false, false
	for _, list := range s.about(a.Host) {
		for _, r := range list {
			if r.scheme != a.Scheme || !slices.Contains(r.ports, a.Port) || !slices.Contains(r.methods, method) {
				continue
			}
			if r.anyPath {
				return r
			}
			if !read {
				words, clear = segments(a.Path)
				read = true
			}
			if clear && r.path.Match(words) {
				return r
			}
		}
	}
	if s.public != nil && a.Port == schemes[a.Scheme] && slices.Contains(methodNames, method) {
		return s.public
	}
	return nil
}

// tunnel is the first rule that allows a Tunnel to an address; nil if there is none.
func (s *ruleset) tunnel(a *Address) *rule {
	for _, list := range s.about(a.Host) {
		for _, r := range list {
			if r.tunnel && slices.Contains(r.ports, a.Port) {
				return r
			}
		}
	}
	if s.public != nil && a.Port == schemes["https"] {
		return s.public
	}
	return nil
}

// parent is a name without its first label.
func parent(host string) string {
	_, rest, _ := strings.Cut(host, ".")
	return rest
}
