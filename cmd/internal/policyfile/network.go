package policyfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A Network is what a file says of the network. Values of its secrets are where Sources say, in the same order.
type Network struct {
	egress.Policy
	Sources []Source
}

// AddNetwork adds a rule to the network of f, as egress.ParseRule reads it, or sets the mode: "public" leaves the rules, "none" removes
// them and the secrets. It comes from a flag.
func (f *File) AddNetwork(text, flag string) error {
	n := f.openNetwork()
	text = strings.TrimSpace(text)
	switch mode := egress.Mode(text); mode {
	case egress.None:
		*n = Network{Policy: egress.Policy{Mode: mode, Limits: n.Limits}}
		f.Override("network.mode", flag)
		return nil
	case egress.Public:
		n.Mode = mode
		f.Override("network.mode", flag)
		return nil
	}
	r, err := parseRule(text, `a mode: "public", "none"`)
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), fmt.Sprintf("rule %q: ", text))) // the error of a flag has it
	}
	if n.Mode == egress.None {
		n.Mode = egress.List
	}
	n.Rules = append(slices.Clone(n.Rules), r)
	f.Override("network.rules "+r.String(), flag)
	return nil
}

func (f *File) openNetwork() *Network {
	if f.Network == nil {
		f.Network = &Network{}
	}
	return f.Network
}

// parseRule reads a rule, or says what to write: the rule, or one of the modes in the form of where it stands.
func parseRule(text, modes string) (egress.Rule, error) {
	r, err := egress.ParseRule(text)
	if err == nil {
		return r, nil
	}
	message := strings.TrimPrefix(err.Error(), "egress: ")
	if !strings.Contains(text, "://") {
		message += ", or " + modes
	}
	return r, errors.New(message)
}

// Gate makes the gate of the network. It is nil if the file allows no request.
func (f *File) Gate(o egress.Options) (*egress.Gate, error) {
	if f.Network == nil {
		return nil, nil
	}
	p := f.Network.Policy
	p.Secrets = slices.Clone(p.Secrets)
	for i := range p.Secrets {
		from := f.Network.Sources[i]
		value, err := from.value()
		if dir := f.seenIn(from.File); err == nil && from.File != "" && dir != "" {
			err = fmt.Errorf("scripts can read %s, since they see %s: move it", from.File, dir)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: network.secrets: %s: %w", f.line("network.secrets "+p.Secrets[i].Name), p.Secrets[i].Name, err)
		}
		p.Secrets[i].Value = value
	}
	gate, err := egress.New(p, o)
	if err != nil {
		return nil, f.placeNetwork(err)
	}
	if p.Mode == egress.None || p.Mode == "" && len(p.Rules) == 0 {
		return nil, gate.Close()
	}
	return gate, nil
}

// placeNetwork puts the lines that the errors of egress.New are about before them.
func (f *File) placeNetwork(err error) error {
	var list []error
	for text := range strings.Lines(err.Error()) {
		text = strings.TrimPrefix(strings.TrimSuffix(text, "\n"), "egress: ")
		key := "network"
		if after, ok := strings.CutPrefix(text, "secret "); ok {
			key = "network.secrets " + quoted(after)
		} else if strings.HasPrefix(text, "mode ") {
			key = "network.mode"
		}
		list = append(list, fmt.Errorf("%s: network: %s", f.line(key), text))
	}
	return errors.Join(list...)
}

func (f *File) networkObject(n *yaml.Node) error {
	of := f.openNetwork()
	if v := child(n, "mode"); v != nil && v.Value == string(egress.None) { // for all that is not in this file
		of.Rules, of.Secrets, of.Sources = nil, nil, nil
	}
	return f.object("network", n, f.networkKeys(of))
}

// child is the value of a key of n; nil if there is none.
func child(n *yaml.Node, name string) *yaml.Node {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// networkKeys are those of network. A list takes the place of that of a file that is extended, so that it can narrow it.
func (f *File) networkKeys(n *Network) []key {
	return []key{
		{"mode", "list", "none, list (what the rules allow) or public (also all public addresses); the default is list if there are rules", scalarKey(func(s string) error {
			if !slices.Contains(egress.Modes(), egress.Mode(s)) {
				return fmt.Errorf("no mode %q; there are none, list, public%s", s, hint(s, []string{"none", "list", "public"}))
			}
			n.Mode = egress.Mode(s)
			return nil
		})},
		{"rules", `["GET,POST https://api.example.com/v1/*"]`, "requests that are allowed, as by `--net`: methods, URL, and `loopback` or `private=PREFIX`; in place of those of the file that is extended", f.networkRules(n)},
		{"limits", "", "bounds of requests", func(v *yaml.Node) error {
			return f.object("network.limits", v, f.networkLimitKeys(&n.Limits))
		}},
		{"secrets", "", "sent with requests, and not seen by scripts; in place of those of the file that is extended", f.networkSecrets(n)},
	}
}

func (f *File) networkRules(n *Network) setter {
	return func(v *yaml.Node) error {
		n.Rules = nil
		return each(v, func(e *yaml.Node) error {
			return scalar(e, func(text string) error {
				r, err := parseRule(text, `"mode: public" beside "rules"`)
				if err != nil {
					return &placed{e.Line, "network.rules: " + err.Error()}
				}
				if f.sent && (r.Loopback || len(r.Private) > 0) {
					return errOfMachine // it opens the machine itself, or its network
				}
				n.Rules = append(n.Rules, r)
				f.mark("network.rules "+r.String(), e)
				return nil
			})
		})
	}
}

func (f *File) networkSecrets(n *Network) setter {
	return func(v *yaml.Node) error {
		if f.sent {
			return errOfMachine // their values are in files or variables
		}
		n.Secrets, n.Sources = nil, nil
		return each(v, func(e *yaml.Node) error {
			var s egress.Secret
			var from Source
			if err := f.object("network.secrets", e, f.secretKeys(&s, &from)); err != nil {
				return err
			}
			if s.Name == "" {
				return &placed{e.Line, "network.secrets: name is missing"}
			}
			if (from.Env == "") == (from.File == "") {
				return &placed{e.Line, fmt.Sprintf("network.secrets: %s: its value is in env: VARIABLE or in file: PATH; want one of them", s.Name)}
			}
			n.Secrets, n.Sources = append(n.Secrets, s), append(n.Sources, from)
			f.mark("network.secrets "+s.Name, e)
			return nil
		})
	}
}

func (f *File) secretKeys(s *egress.Secret, from *Source) []key {
	return []key{
		{"name", "github", "unique among the secrets", word(&s.Name)},
		{"env", "GITHUB_TOKEN", "the variable of the environment that has its value; no worker gets it", word(&from.Env)},
		{"file", "token.txt", "or the file that has its value, a path from the directory of the policy file; spaces and newlines at the end do not count", scalarKey(func(path string) error {
			from.File = f.beside(path)
			return nil
		})},
		{"hosts", "[api.github.com]", "where it is sent, with a port if it is not 443; `*.example.com` as in rules", texts(&s.Hosts)},
		{"methods", "[GET, POST]", "of requests that it is sent with; GET and HEAD if there are none", texts(&s.Methods)},
		{"paths", `["/repos/**"]`, "of requests that it is sent with; all if there are none", texts(&s.Paths)},
		{"header", "X-Api-Key", "the header that has it; Authorization if it is not set", word(&s.Header)},
		{"scheme", "Bearer", "a word before the value", word(&s.Scheme)},
		{"on_request", "false", "send it only with requests that ask for it", truth(&s.OnRequest)},
	}
}
