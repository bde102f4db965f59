package policyfile

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// A key of an object in a policy file.
type key struct {
	name string
	like string // a value, or empty for an object or a list of objects
	doc  string
	set  setter
}

// A setter puts a value of a policy file where it belongs.
type setter func(n *yaml.Node) error

// scalar calls set with the text of one value.
func scalar(n *yaml.Node, set func(string) error) error {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return errors.New("want one value")
	}
	return set(n.Value)
}

func scalarKey(set func(string) error) setter {
	return func(n *yaml.Node) error { return scalar(n, set) }
}

func word[T ~string](to *T) setter {
	return scalarKey(func(s string) error { *to = T(s); return nil })
}

func truth(to *bool) setter {
	return func(n *yaml.Node) error {
		if n.Kind != yaml.ScalarNode || n.Decode(to) != nil {
			return errors.New("want true or false")
		}
		return nil
	}
}

// each calls do for the items of a list. Its errors get the line.
func each(n *yaml.Node, do func(*yaml.Node) error) error {
	if n.Kind != yaml.SequenceNode {
		return errors.New("want a list")
	}
	for _, e := range n.Content {
		if err := do(e); err != nil {
			return err
		}
	}
	return nil
}

func texts(to *[]string) setter {
	return func(n *yaml.Node) error {
		out := []string{}
		err := each(n, func(e *yaml.Node) error {
			return scalar(e, func(s string) error { out = append(out, s); return nil })
		})
		if err == nil {
			*to = out
		}
		return err
	}
}

// plain is the value of n as encoding/json would read it, but for whole numbers, which stay whole.
func plain(n *yaml.Node) (v any, err error) {
	switch {
	case n.Kind == yaml.MappingNode:
		object := map[string]any{}
		return object, fields("value", n, func(name, value *yaml.Node) (err error) {
			object[name.Value], err = plain(value)
			return err
		})
	case n.Kind == yaml.SequenceNode:
		list := []any{}
		return list, each(n, func(e *yaml.Node) error {
			v, err := plain(e)
			list = append(list, v)
			return err
		})
	case n.Kind != yaml.ScalarNode:
		return nil, errors.New("want a value, and no reference to one")
	case n.Tag == "!!null":
		return nil, nil
	case n.Tag == "!!bool" || n.Tag == "!!int" || n.Tag == "!!float":
		err = n.Decode(&v)
		return v, err
	case n.Tag == "!!str" || n.Tag == "!!timestamp":
		return n.Value, nil
	}
	return nil, fmt.Errorf("want a value of JSON; this has the type %s", n.Tag)
}

func value(to *any) setter {
	return func(n *yaml.Node) (err error) {
		*to, err = plain(n)
		return err
	}
}

func values(to *[]any) setter {
	return func(n *yaml.Node) error {
		*to = []any{}
		return each(n, func(e *yaml.Node) error {
			v, err := plain(e)
			*to = append(*to, v)
			return err
		})
	}
}

// byName reads an object with any keys, whose values set reads.
func byName[T any](to *map[string]T, set func(*T) setter) setter {
	return func(n *yaml.Node) error {
		if *to == nil {
			*to = map[string]T{}
		}
		return fields("value", n, func(name, value *yaml.Node) error {
			var v T
			err := set(&v)(value)
			(*to)[name.Value] = v
			return err
		})
	}
}

func whole(to *int64) setter { return scalarKey((*count)(to).Set) }

func pointer[T any](to **T, set func(*T) setter) setter {
	return func(n *yaml.Node) error {
		*to = new(T)
		return set(*to)(n)
	}
}
