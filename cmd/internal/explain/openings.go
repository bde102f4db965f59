package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// origin is where an opening comes from.
func (p *Policy) origin(field, item string) policyfile.Place {
	switch field {
	case "Funcs":
		return policyfile.Place{File: p.Tools}
	case "Audit":
		return policyfile.Place{File: "--record"}
	case "Files.Paths":
		if at := p.from("allow_paths " + strings.TrimSuffix(item, ":rw")); at.Line > 0 {
			return at
		}
		return policyfile.Place{File: "--allow-path"}
	}
	return p.from(map[string]string{
		"Std": "std", "Files.Open": "fs", "Files.ModuleRoot": "fs", "Files.Secrets": "secrets", "Isolation": "isolation", "Level": "level",
		"AllowDegraded": "allow_degraded",
	}[field])
}

// changes are the layers of isolation kernel that differ by an opening, and how.
func (p *Policy) changes(field string) (layers []string, how string) {
	switch field {
	case "Std":
		return []string{}, "none: the worker computes it"
	case "Funcs":
		return []string{}, "none: the worker sends a message, and the host runs the function outside of the sandbox"
	case "Files.Open", "Files.ModuleRoot":
		return []string{}, "none: the worker opens no file, and the host reads and writes for it"
	case "Files.Paths":
		if p.Guard != nil && p.Guard.GuardsFiles() {
			return []string{}, "none: the guard decides about files, so the host reads them"
		}
		return []string{"descriptors", "rlimits", "landlock", "seccomp"}, "the worker has a descriptor of the directory, more open files, and may open and read what lies beneath; the host writes"
	case "Files.Secrets":
		return []string{}, "none: the kernel never hides names in the directories that a worker reads"
	case "Env":
		return []string{}, "none: the worker has no environment of the host"
	case "Isolation":
		return isolate.Maximum.Layers(), "with this isolation no layer of isolation kernel is complete"
	case "Level":
		return missingLayers(p.File.Policy.Level), "the level has them not"
	case "Audit":
		return []string{"seccomp"}, "a refused system call fails and is recorded, instead of ending the worker"
	case "AllowDegraded":
		return isolate.Maximum.Layers(), "any that this machine lacks"
	}
	return []string{}, "none"
}

// missingLayers are those that isolation kernel has at its highest level and not at this one.
func missingLayers(l isolate.Level) []string {
	has := l.Layers()
	return slices.DeleteFunc(isolate.Maximum.Layers(), func(name string) bool { return slices.Contains(has, name) })
}

// networkOpenings are the requests that the policy allows, and the secrets that are sent with them.
func (p *Policy) networkOpenings() (list []Opening) {
	const kernel = "none: the worker sends a message, and the host makes the request; no system call for sockets is allowed"
	n := p.File.Network
	add := func(what, opens, key string) {
		list = append(list, Opening{"Network " + what, opens, p.from(key), []string{}, kernel})
	}
	if n.Mode == egress.Public {
		add("public", "requests by package net/http to all public addresses on the ports 80 and 443", "network.mode")
	}
	for _, r := range n.Rules {
		text := r.String()
		add(text, "requests by package net/http that it fits"+opened(&r), "network.rules "+text)
	}
	for i, s := range n.Secrets {
		value := n.Sources[i].String()
		if p.Public != "" {
			value = "a secret"
		}
		opens := fmt.Sprintf("the host sends the value of %s in %s of https requests to %s", value, cmp.Or(s.Header, "Authorization"), strings.Join(s.Hosts, ", "))
		if s.OnRequest {
			opens += " that ask for it"
		}
		add("secret "+s.Name, opens+"; scripts do not see it", "network.secrets "+s.Name)
	}
	return list
}

// opened says which special addresses a rule opens.
func opened(r *egress.Rule) string {
	switch {
	case r.Loopback && len(r.Private) > 0:
		return ", also to this machine and to private addresses"
	case r.Loopback:
		return ", also to this machine"
	case len(r.Private) > 0:
		return ", also to private addresses"
	}
	return ""
}

// networkLimits are the limits of requests, if there are any.
func (p *Policy) networkLimits() (list []Limit) {
	if p.File.Policy.Network == nil {
		return nil
	}
	for _, l := range policyfile.NetworkLimits {
		key := "network.limits." + l.Key
		list = append(list, Limit{"network." + l.Key, l.Text(&p.File.Network.Limits), p.from(key)})
	}
	return list
}
