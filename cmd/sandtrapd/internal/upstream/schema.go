package upstream

import (
	"encoding/json"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// The limits on a schema. What is beyond them is taken as a schema that allows everything.
const (
	maxNodes   = 5000
	maxLevels  = 16
	maxPattern = 500 // bytes
)

// A cleaner makes of the JSON of a schema one that can be checked in a bounded time: without references, which it puts in place, without
// what it does not know, and without patterns that package regexp does not take. A schema that refers to itself allows everything there.
type cleaner struct {
	root any
	cost int // of a check, for each byte of a value
	open map[string]bool
}

// clean is the schema of v, and what it costs to check a byte with it.
func clean(v any) (*jsonschema.Schema, int, error) {
	c := &cleaner{root: v, open: map[string]bool{}}
	text, err := json.Marshal(c.schema(v, 0))
	if err != nil {
		return nil, 0, err
	}
	s := &jsonschema.Schema{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, 0, fmt.Errorf("its schema: %w", err)
	}
	return s, c.cost, nil
}

type object = map[string]any

func (c *cleaner) schema(v any, level int) any {
	c.cost++
	in, ok := v.(object)
	if v == false {
		return false
	}
	if !ok || level > maxLevels || c.cost > maxNodes {
		return object{}
	}
	if ref, ok := in["$ref"].(string); ok {
		target := c.find(ref)
		if target == nil || c.open[ref] {
			return object{}
		}
		c.open[ref] = true
		defer delete(c.open, ref)
		got := c.schema(target, level+1)
		if out, ok := got.(object); ok {
			if doc, has := in["description"].(string); has {
				out["description"] = doc
			}
		}
		return got // false if nothing fits
	}
	out := object{}
	for key, value := range in {
		if got := c.keyword(key, value, level); got != nil {
			out[key] = got
		}
	}
	if in["nullable"] == true {
		doc := out["description"]
		out = object{"anyOf": []any{out, object{"type": "null"}}}
		if doc != nil {
			out["description"] = doc
		}
	}
	return out
}

// keyword is the value of one in the schema that is made, nil if it is left out.
func (c *cleaner) keyword(key string, v any, level int) any {
	switch key {
	case "items", "additionalProperties", "not", "propertyNames", "if", "then", "else", "contains":
		if list, ok := v.([]any); ok && key == "items" {
			c.list(list, level) // of an old draft: it counts
			return nil
		}
		return c.schema(v, level+1)
	case "anyOf", "oneOf", "allOf", "prefixItems":
		if list, ok := v.([]any); ok && len(list) > 0 {
			return c.list(list, level)
		}
	case "properties":
		if all, ok := v.(object); ok {
			out := object{}
			for name, s := range all {
				out[name] = c.schema(s, level+1)
			}
			return out
		}
	case "type":
		return typeKeyword(v)
	case "required":
		return texts(v)
	case "enum":
		if list, ok := v.([]any); ok {
			c.cost += len(list)
			return list
		}
	case "const", "default":
		return v
	case "description", "format":
		if text, ok := v.(string); ok {
			return text
		}
	case "pattern":
		return c.pattern(v)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		if n, ok := v.(float64); ok && (key != "multipleOf" || n > 0) {
			return n
		}
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		if n, ok := v.(float64); ok && n >= 0 && n == float64(int32(n)) {
			return n
		}
	}
	return nil
}

func (c *cleaner) list(list []any, level int) (out []any) {
	for _, s := range list {
		out = append(out, c.schema(s, level+1))
	}
	return out
}

// pattern is v if package regexp takes it; its program counts.
func (c *cleaner) pattern(v any) any {
	text, ok := v.(string)
	if !ok || len(text) > maxPattern {
		return nil
	}
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil
	}
	if _, err := regexp.Compile(text); err != nil {
		return nil
	}
	if p, err := syntax.Compile(re.Simplify()); err == nil {
		c.cost += len(p.Inst)
	}
	return text
}

// find is the part of the schema that a reference names, nil if it has none: "#", "#/$defs/NAME" and other paths of objects.
func (c *cleaner) find(ref string) any {
	rest, ok := strings.CutPrefix(ref, "#")
	if !ok || rest != "" && rest[0] != '/' {
		return nil
	}
	at := c.root
	for _, part := range strings.Split(rest, "/")[1:] {
		o, _ := at.(object)
		if at, ok = o[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]; !ok {
			return nil
		}
	}
	return at
}

var typeNames = []string{"null", "boolean", "integer", "number", "string", "array", "object"}

// typeKeyword is the keyword type, with the names that there are.
func typeKeyword(v any) any {
	if name, ok := v.(string); ok && slices.Contains(typeNames, name) {
		return name
	}
	list := slices.DeleteFunc(texts(v), func(name any) bool { return !slices.Contains(typeNames, name.(string)) })
	if len(list) == 0 {
		return nil
	}
	return list
}

// texts are those of a list.
func texts(v any) (out []any) {
	list, _ := v.([]any)
	for _, e := range list {
		if _, ok := e.(string); ok && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}
