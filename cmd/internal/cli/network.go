package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// network opens the network of the policy files and flags of o.
func (o *options) network() error {
	gate, err := o.file.Gate(egress.Options{Observe: o.refusals.Observe})
	if err != nil || gate == nil {
		return err
	}
	if o.policy.Engine == "yaegi" {
		return errors.New("engine yaegi has no network: leave out --net and the key network, or use engine vm")
	}
	o.gate, o.policy.Network = gate, gate
	return nil
}

// printRefused prints refused requests, but for those that the script has printed or ended with.
func (c *call) printRefused(list []*decide.Denied, res *sandtrap.Result) {
	told := res.Stdout + res.Stderr
	for _, e := range res.Echo {
		told += e.Text
	}
	if res.Error != nil {
		told += res.Error.Message
	}
	for _, d := range list {
		if text := d.Error(); !strings.Contains(told, text) {
			fmt.Fprintln(c.stderr, c.paint(dim, "refused: "+printable(text)))
		}
	}
}

// networkOpenings are the requests that the policy allows, and the secrets that are sent with them.
func (o *options) networkOpenings() (list []jsonOpening) {
	const kernel = "none: the worker sends a message, and the host makes the request; no system call for sockets is allowed"
	n := o.file.Network
	add := func(what, opens, key string) {
		list = append(list, jsonOpening{"Network " + what, opens, o.file.From(key), []string{}, kernel})
	}
	if n.Mode == egress.Public {
		add("public", "requests by package net/http to all public addresses on the ports 80 and 443", "network.mode")
	}
	for _, r := range n.Rules {
		text := r.String()
		add(text, "requests by package net/http that it fits"+opened(&r), "network.rules "+text)
	}
	for i, s := range n.Secrets {
		opens := fmt.Sprintf("the host sends the value of %s in %s of https requests to %s", n.Sources[i], cmp.Or(s.Header, "Authorization"), strings.Join(s.Hosts, ", "))
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
func (o *options) networkLimits() (list []jsonLimit) {
	if o.gate == nil {
		return nil
	}
	for _, l := range policyfile.NetworkLimits {
		key := "network.limits." + l.Key
		list = append(list, jsonLimit{"network." + l.Key, l.Text(&o.file.Network.Limits), o.file.From(key)})
	}
	return list
}
