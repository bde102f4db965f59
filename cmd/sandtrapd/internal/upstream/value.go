package upstream

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// decode reads JSON, with numbers as they are written.
func decode(data []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return v, d.Decode(&v)
}

// encode is v in JSON.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// complete is arguments of a script as a server takes them: a list or a map that has to be there is there, if it is nil.
func (t *shape) complete(v any) any {
	switch v := v.(type) {
	case nil:
		switch t.kind {
		case ofList:
			return []any{}
		case ofMap:
			return object{}
		}
	case []any:
		for i := range v {
			if t.kind == ofList {
				v[i] = t.elem.complete(v[i])
			}
		}
	case object:
		for name, value := range v {
			if t.kind == ofMap {
				v[name] = t.elem.complete(value)
			}
		}
		for _, f := range t.fields {
			if value, ok := v[f.json]; ok && (value != nil || !f.null) {
				v[f.json] = f.shape.complete(value)
			}
		}
	}
	return v
}

// A pruner makes of a result that fits its schema one that its Go type takes: without properties that are no fields, and with integers as Go
// writes them.
type pruner struct {
	inexact bool // there is an integer that may have lost digits on its way
}

func (p *pruner) prune(t *shape, v any) any {
	switch v := v.(type) {
	case float64:
		if t.kind == ofInt && v == math.Trunc(v) {
			p.inexact = p.inexact || math.Abs(v) >= 1<<53
			return json.Number(strconv.FormatInt(int64(v), 10))
		}
	case []any:
		for i := range v {
			if t.kind == ofList {
				v[i] = p.prune(t.elem, v[i])
			}
		}
	case object:
		if t.kind == ofMap {
			for name, value := range v {
				v[name] = p.prune(t.elem, value)
			}
		}
		if t.kind == ofStruct {
			own := object{}
			for _, f := range t.fields {
				if value, ok := v[f.json]; ok {
					own[f.json] = p.prune(f.shape, value)
				}
			}
			return own
		}
	}
	return v
}
