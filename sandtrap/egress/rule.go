package egress

import (
	"net/netip"
	"strconv"
	"strings"
)

// A Mode says which requests a policy allows.
type Mode string

// The modes. An empty Mode is List if there are rules, else None.
const (
	None   Mode = "none"   // no request
	List   Mode = "list"   // those that a rule allows
	Public Mode = "public" // these, and all others to public addresses on the ports 80 and 443
)

// Modes are all modes.
func Modes() []Mode { return []Mode{None, List, Public} }

// A Policy says which requests scripts may make. The zero Policy allows none.
type Policy struct {
	Mode    Mode     `json:"mode,omitempty"`
	Rules   []Rule   `json:"rules,omitempty"`
	Limits  Limits   `json:"limits,omitzero"`
	Secrets []Secret `json:"secrets,omitempty"`
}

// A Rule allows requests. Of several rules that match a request, one whose Host is no pattern goes first, then the order counts.
type Rule struct {
	// Host is a name, an IP address, or a pattern: *.example.com is each name with one label before example.com, and not
	// example.com. Behind the * there are at least two labels.
	Host string `json:"host"`

	// Ports are those of the host; none is the port of the scheme.
	Ports []uint16 `json:"ports,omitempty"`

	// Scheme is https or http; empty is https.
	Scheme string `json:"scheme,omitempty"`

	// Methods are GET, POST and so on; none is GET and HEAD. CONNECT allows tunnels, in which the gate sees no requests: no other
	// method does, and it needs https and every path.
	Methods []string `json:"methods,omitempty"`

	// Path is a pattern: * is any text of a segment, ** any number of segments: /v1/** is also /v1. Queries are not compared. Empty
	// is every path. A path that servers do not all read alike, with . or .. or // or %2f in it, matches no pattern but /**.
	Path string `json:"path,omitempty"`

	// Private are ranges of private addresses that the host may have, for this rule alone. Metadata services are never among
	// them.
	Private []netip.Prefix `json:"private,omitempty"`

	// Loopback allows that the host has a loopback address, for this rule alone.
	Loopback bool `json:"loopback,omitempty"`
}

// scheme is that of r.
func (r *Rule) scheme() string {
	if r.Scheme == "" {
		return "https"
	}
	return r.Scheme
}

// defaultMethods are those of a rule that names none.
var defaultMethods = []string{"GET", "HEAD"}

func (r *Rule) methods() []string {
	if len(r.Methods) == 0 {
		return defaultMethods
	}
	return r.Methods
}

// anyPath is the pattern of every path.
const anyPath = "/**"

func (r *Rule) path() string {
	if r.Path == "" {
		return anyPath
	}
	return r.Path
}

// String is the rule as ParseRule reads it; of several ports it has the first, with the others behind it.
func (r *Rule) String() string {
	var b strings.Builder
	b.WriteString(strings.Join(r.methods(), ",") + " " + r.scheme() + "://")
	host := r.Host
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	b.WriteString(host)
	for i, port := range r.Ports {
		if len(r.Ports) == 1 && port == schemes[r.scheme()] {
			break
		}
		b.WriteByte(":,"[min(i, 1)])
		b.WriteString(strconv.Itoa(int(port)))
	}
	b.WriteString(r.path())
	if r.Loopback {
		b.WriteString(" loopback")
	}
	for _, p := range r.Private {
		b.WriteString(" private=" + p.String())
	}
	return b.String()
}
