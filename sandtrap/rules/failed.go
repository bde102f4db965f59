package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
)

var errorType = reflect.TypeFor[error]()

// A failed is the condition on the error that a call returned.
type failed struct {
	result int
	kind   string
}

// failed compiles the condition. A member without an error as last result never fails.
func (s *scope) failed(c *Condition) (node, error) {
	if !s.after {
		return nil, errors.New("error: only after a call")
	}
	last := len(s.member.Results) - 1
	has := last >= 0 && s.member.Results[last] == errorType
	switch c.Error {
	case "none":
		if !has {
			return allOf{}, nil
		}
	case "any", "not_exist":
		if !has {
			return nil, fmt.Errorf("error: %s returns none", s.member.Name)
		}
	default:
		return nil, fmt.Errorf("error is none, any or not_exist, not %q", c.Error)
	}
	return &failed{last, c.Error}, nil
}

func (f *failed) eval(c *call) truth {
	if f.result >= len(c.results) || !c.results[f.result].IsValid() {
		return unknown
	}
	v := c.results[f.result]
	if v.Kind() == reflect.Interface && v.IsNil() {
		return is(f.kind == "none")
	}
	switch err, ok := v.Interface().(error); {
	case !ok:
		return unknown
	case f.kind == "not_exist":
		return is(errors.Is(err, fs.ErrNotExist))
	}
	return is(f.kind == "any")
}
