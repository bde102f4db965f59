package egress

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/nearest"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// maxListed is how many rules a refusal shows.
const maxListed = 6

// refusal is the error for a request that no rule allows.
func (s *ruleset) refusal(method string, a *Address) *decide.Denied {
	d := &decide.Denied{Code: decide.PolicyRefuses, Member: what(method, a)}
	if s.mode == None {
		d.Reason = "the policy allows no network"
		return d
	}
	same := append(s.exact[a.Host][:len(s.exact[a.Host]):len(s.exact[a.Host])], s.below[parent(a.Host)]...)
	if len(same) > 0 {
		d.Reason = "the policy lists " + listed(same)
		if a.Path == "" {
			d.Hint = "CONNECT shows no method and no path, so it needs a rule of its own: CONNECT https://" + a.HostPort()
			return d
		}
		if _, clear := segments(a.Path); !clear {
			d.Hint = "servers do not all read its path alike: write it without ., .., //, ; and encoded separators"
		}
		return d
	}
	d.Reason = "the policy lists " + listed(s.all)
	if s.public != nil {
		d.Reason = "the policy lists " + listed(append(s.all[:len(s.all):len(s.all)], s.public)) + " on ports 80 and 443"
	}
	var hosts []string
	for _, r := range s.all {
		hosts = append(hosts, r.host)
	}
	if near := nearest.Name(a.Host, hosts); near != "" {
		d.Hint = fmt.Sprintf("did you mean %s?", near)
	}
	return d
}

// what is a request as errors and events name it. It has no query, which may have secrets. The address of a Tunnel has no path.
func what(method string, a *Address) string {
	if a.Path == "" {
		return method + " " + shown(a.authority())
	}
	return shownMethod(method) + " " + shown(a.Scheme+"://"+a.HostPort()+a.Path)
}

// shownMethod is a method as errors and events have it.
func shownMethod(method string) string {
	if slices.Contains(methodNames, method) {
		return method
	}
	return strconv.Quote(shown(method))
}

// listed are the texts of some rules.
func listed(rules []*rule) string {
	var b strings.Builder
	for i, r := range rules {
		if i == maxListed {
			fmt.Fprintf(&b, ", and %d more", len(rules)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(r.text)
	}
	return b.String()
}

// refused is a refusal for another reason.
func refused(method string, a *Address, reason, hint string) *decide.Denied {
	return &decide.Denied{Code: decide.PolicyRefuses, Member: what(method, a), Reason: reason, Hint: hint}
}
