package upstream

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/internal/nearest"
	"github.com/sandtrap-go/sandtrap/sandtrap/toolfile"
)

// A function is a tool of a server as scripts have it.
type function struct {
	Tool
	name        string // in Go
	text        string // its declarations
	file        *toolfile.File
	in, out     *shape
	args, given *checker // of what goes to the server and what comes; given is nil if it has no schema
	wrapped     bool     // the result is a field of out
	told        [sha256.Size]byte
}

// valueField is the field of a result that is no object.
const valueField = "value"

// functions makes those of the tools of a configuration, which the server lists.
func functions(c *Config, listed []*mcp.Tool) (all []*function, err error) {
	names := newNames()
	for _, t := range c.Tools {
		all = append(all, &function{Tool: t, name: names.add(goName(t.Name))})
	}
	type pair struct{ in, out string }
	var types []pair
	for _, f := range all {
		types = append(types, pair{names.add(f.name + "In"), names.add(f.name + "Out")})
	}
	for i, f := range all {
		at := slices.IndexFunc(listed, func(t *mcp.Tool) bool { return t.Name == f.Tool.Name })
		if at < 0 {
			err = errors.Join(err, fmt.Errorf("server %s has no tool %q%s", c.Name, f.Tool.Name, near(f.Tool.Name, listed)))
			continue
		}
		if wrong := f.make(c.Name, names, listed[at], types[i].in, types[i].out); wrong != nil {
			err = errors.Join(err, fmt.Errorf("server %s: tool %q: %w", c.Name, f.Tool.Name, wrong))
		}
	}
	return all, err
}

func near(name string, listed []*mcp.Tool) string {
	var have []string
	for _, t := range listed {
		have = append(have, t.Name)
	}
	if n := nearest.Name(name, have); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// fingerprint is a hash of what a server says of a tool.
func fingerprint(t *mcp.Tool) ([sha256.Size]byte, error) {
	text, err := json.Marshal([]any{t.Name, t.Description, t.InputSchema, t.OutputSchema})
	return sha256.Sum256(text), err
}

// make makes the types of a tool.
func (f *function) make(path string, names *names, t *mcp.Tool, in, out string) (err error) {
	if f.told, err = fingerprint(t); err != nil {
		return err
	}
	s, err := f.arguments(names, t, in)
	if err != nil {
		return err
	}
	more, err := f.result(names, t, out)
	if err != nil {
		return err
	}
	f.text = source(f.name, plainDoc(f.name+" is the tool "+f.Tool.Name+". "+t.Description, maxToolDoc), f.in, f.out, append(s, more...))
	if f.file, err = toolfile.ParsePackage(path, "tool.go", []byte(f.text)); err != nil {
		return fmt.Errorf("its types: %w", err)
	}
	return nil
}

func (f *function) arguments(names *names, t *mcp.Tool, name string) ([]*shape, error) {
	schema, cost, err := clean(t.InputSchema)
	if err != nil {
		return nil, err
	}
	b := &shaper{names: names, input: true, done: map[string]*shape{}}
	if f.in, err = b.root(schema, name); err != nil {
		return nil, err
	}
	f.args, err = newChecker(schema, cost)
	return b.list, err
}

// result makes the type of the result: that of its schema, in a field if it is no object with properties, or else a text.
func (f *function) result(names *names, t *mcp.Tool, name string) ([]*shape, error) {
	if t.OutputSchema == nil {
		f.out = &shape{kind: ofStruct, name: name, fields: []field{{name: "Text", json: "text", shape: &shape{kind: ofText}, required: true}}}
		return []*shape{f.out}, nil
	}
	schema, cost, err := clean(t.OutputSchema)
	if err != nil {
		return nil, err
	}
	b := &shaper{names: names, done: map[string]*shape{}}
	if all := merged(schema); len(all.Properties) > 0 && len(schema.AnyOf)+len(schema.OneOf) == 0 {
		if f.out, err = b.root(schema, name); err != nil {
			return nil, err
		}
	} else {
		value, _ := b.of(schema, name+"Value")
		f.wrapped = true
		f.out = &shape{kind: ofStruct, name: name, fields: []field{{name: "Value", json: valueField, shape: value, required: true}}}
		b.list = append(b.list, f.out)
	}
	f.given, err = newChecker(schema, cost)
	return b.list, err
}

// A checker checks values.
type checker struct {
	schema *jsonschema.Resolved
	cost   int // of a byte
}

func newChecker(s *jsonschema.Schema, cost int) (*checker, error) {
	r, err := s.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("its schema: %w", err)
	}
	return &checker{r, cost}, nil
}

// maxWork bounds a check: the cost of the schema times the bytes of the value.
const maxWork = 1 << 28

// check checks a value that has so many bytes in JSON.
func (c *checker) check(data []byte) error {
	if c.cost*len(data) > maxWork {
		return fmt.Errorf("%d bytes are too many to check with its schema", len(data))
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	return c.schema.Validate(v)
}
