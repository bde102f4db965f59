package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A setter puts one value of a policy file where it belongs.
type setter func(n *yaml.Node) error

// readPolicyFile changes p as the file at path says. YAML and JSON have the same
// keys. What the file does not mention stays.
func readPolicyFile(path string, p *sandtrap.Policy) error {
	text, err := readTrusted(path)
	if err != nil {
		return err
	}
	if err := decodePolicy(text, p); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func decodePolicy(text []byte, p *sandtrap.Policy) error {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return err
	}
	if doc.Kind == 0 { // an empty file
		return nil
	}
	return object("policy", doc.Content[0], policyKeys(p))
}

func policyKeys(p *sandtrap.Policy) map[string]setter {
	return map[string]setter{
		"limits":  func(n *yaml.Node) error { return object("limits", n, limitKeys(&p.Limits)) },
		"std":     func(n *yaml.Node) error { return list(n, &p.Std) },
		"exclude": func(n *yaml.Node) error { return list(n, &p.Exclude) },
		"engine":  func(n *yaml.Node) error { return text(n, func(s string) error { p.Engine = s; return nil }) },
		"isolation": func(n *yaml.Node) error {
			return text(n, func(s string) error { p.Isolation = sandtrap.Isolation(s); return nil })
		},
		"level": func(n *yaml.Node) error {
			return text(n, func(s string) error { p.Level = isolate.Level(s); return nil })
		},
		"allow_degraded": func(n *yaml.Node) error { return n.Decode(&p.AllowDegraded) },
		"echo": func(n *yaml.Node) error {
			return text(n, func(s string) error { p.Echo = sandtrap.EchoMode(s); return nil })
		},
		"seed":  func(n *yaml.Node) error { return n.Decode(&p.Seed) },
		"epoch": func(n *yaml.Node) error { return n.Decode(&p.Epoch) },
		"fs":    func(n *yaml.Node) error { return text(n, func(s string) error { return parseFS(s, &p.Files) }) },
		"secrets": func(n *yaml.Node) error {
			var show bool
			err := n.Decode(&show)
			showSecrets(show, &p.Files)
			return err
		},
		"allow_paths": func(n *yaml.Node) error {
			var paths []string
			err := list(n, &paths)
			for _, path := range paths {
				if err == nil {
					err = allowPath(path, &p.Files)
				}
			}
			return err
		},
	}
}

// placed is an error in a line of a policy file.
type placed struct {
	line int
	text string
}

func (p *placed) Error() string { return fmt.Sprintf("line %d: %s", p.line, p.text) }

// object calls the setter of each key of n. A key without one is an error: what
// nobody reads must not look like a rule.
func object(what string, n *yaml.Node, keys map[string]setter) error {
	if n.Kind != yaml.MappingNode {
		return &placed{n.Line, what + ": want keys and values"}
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		set, ok := keys[key.Value]
		if !ok {
			return &placed{key.Line, fmt.Sprintf("no key %q in %s%s", key.Value, what, didYouMean(key.Value, slices.Sorted(maps.Keys(keys))))}
		}
		if seen[key.Value] {
			return &placed{key.Line, fmt.Sprintf("key %q stands twice", key.Value)}
		}
		seen[key.Value] = true
		err := set(value)
		if _, nested := errors.AsType[*placed](err); err != nil && !nested {
			err = &placed{value.Line, fmt.Sprintf("%s: %v", key.Value, err)}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func text(n *yaml.Node, set func(string) error) error {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return fmt.Errorf("want one value")
	}
	return set(n.Value)
}

func list(n *yaml.Node, to *[]string) error {
	if n.Kind != yaml.SequenceNode {
		return fmt.Errorf("want a list")
	}
	out := []string{}
	for _, e := range n.Content {
		if err := text(e, func(s string) error { out = append(out, s); return nil }); err != nil {
			return err
		}
	}
	*to = out
	return nil
}
