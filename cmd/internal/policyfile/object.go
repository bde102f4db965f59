package policyfile

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Document reads a YAML file of one document with keys and values, of which do gets each one. It is for other files that are as strict as
// policy files. An empty file has none. Errors have the line.
func Document(r io.Reader, what string, do func(name, value *yaml.Node) error) error {
	root, err := document(r, what+": want one document")
	if err != nil || root == nil {
		return err
	}
	return fields(what, root, do)
}

// document is the value of the one document of a YAML file, nil if that is empty. A second one is an error, which begins with more.
func document(r io.Reader, more string) (*yaml.Node, error) {
	var doc, second yaml.Node
	d := yaml.NewDecoder(r)
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := d.Decode(&second); err == nil {
		return nil, &placed{second.Line, more + ": remove what begins here"}
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return doc.Content[0], nil
}

// Fields calls do for the keys of n, which is what, and their values. A key that stands twice is an error. Errors get the line.
func Fields(what string, n *yaml.Node, do func(name, value *yaml.Node) error) error {
	return fields(what, n, do)
}

// Known calls the function of the key name. A key without one is an error with the line and the nearest key.
func Known(what string, name, value *yaml.Node, keys map[string]func(*yaml.Node) error) error {
	set, ok := keys[name.Value]
	if !ok {
		return &placed{name.Line, fmt.Sprintf("no key %q in %s%s", name.Value, what, hint(name.Value, slices.Sorted(maps.Keys(keys))))}
	}
	return set(value)
}

// Size reads a size such as 64MiB.
func Size(to *int64) func(*yaml.Node) error {
	return scalarKey(func(s string) error { return parseSize(s, to) })
}
