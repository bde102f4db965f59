package policyfile

import (
	"flag"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A NetworkLimit is one of those of requests.
type NetworkLimit struct {
	Key     string // in policy files, below network.limits
	Default string // what 0 means
	Help    string
	Of      func(*egress.Limits) flag.Value
}

// NetworkLimits are all limits of requests, in the order of policy files.
var NetworkLimits = []NetworkLimit{
	{"run.requests", "1000", "requests", func(l *egress.Limits) flag.Value { return (*count)(&l.Run.Requests) }},
	{"run.at_once", "32", "requests whose response is not read to its end or closed", func(l *egress.Limits) flag.Value { return (*count)(&l.Run.AtOnce) }},
	{"run.sent", "16MiB", "bytes of URLs, headers and bodies", func(l *egress.Limits) flag.Value { return (*size)(&l.Run.Sent) }},
	{"run.received", "256MiB", "bytes of headers and bodies, decompressed", func(l *egress.Limits) flag.Value { return (*size)(&l.Run.Received) }},
	{"tenant.requests", "100000", "requests", func(l *egress.Limits) flag.Value { return (*count)(&l.Tenant.Requests) }},
	{"tenant.at_once", "256", "requests whose response is not read to its end or closed", func(l *egress.Limits) flag.Value { return (*count)(&l.Tenant.AtOnce) }},
	{"tenant.sent", "1GiB", "bytes of URLs, headers and bodies", func(l *egress.Limits) flag.Value { return (*size)(&l.Tenant.Sent) }},
	{"tenant.received", "16GiB", "bytes of headers and bodies, decompressed", func(l *egress.Limits) flag.Value { return (*size)(&l.Tenant.Received) }},
	{"header", "64KiB", "bytes of the header of a request, and of a response", func(l *egress.Limits) flag.Value { return (*size)(&l.Header) }},
	{"first_byte", "30s", "time from the beginning of a request to the header of its response", func(l *egress.Limits) flag.Value { return (*span)(&l.FirstByte) }},
	{"total", "5m0s", "time from the beginning of a request to the end of its response", func(l *egress.Limits) flag.Value { return (*span)(&l.Total) }},
	{"ratio", "100", "bytes that one byte of a compressed body may become", func(l *egress.Limits) flag.Value { return (*count)(&l.Ratio) }},
}

// Text is the limit of these, with its default for 0.
func (l *NetworkLimit) Text(of *egress.Limits) string {
	if text := l.Of(of).String(); text != "0" {
		return text
	}
	return l.Default
}

// networkLimitKeys are those of network.limits.
func (f *File) networkLimitKeys(l *egress.Limits) []key {
	quota := func(name string) setter {
		return func(n *yaml.Node) error { return f.object("network.limits."+name, n, quotaKeys(name, l)) }
	}
	return append([]key{
		{"run", "", "of each run", quota("run")},
		{"tenant", "", "of all runs of the command together, as of a REPL, in an hour", quota("tenant")},
	}, quotaKeys("", l)...)
}

// quotaKeys are the keys of limits within one of network.limits.
func quotaKeys(within string, of *egress.Limits) (keys []key) {
	for _, l := range NetworkLimits {
		group, name, nested := strings.Cut(l.Key, ".")
		if !nested {
			group, name = "", l.Key
		}
		if group == within {
			keys = append(keys, key{name, l.Default, l.Help + "; 0: " + l.Default, scalarKey(l.Of(of).Set)})
		}
	}
	return keys
}
