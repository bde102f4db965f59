package runjson

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Input makes a Go value of JSON text: whole numbers become int, arrays
// whose elements have one type a slice of that type, objects map[string]any.
func Input(text string) (any, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("not JSON: %v (text needs quotes: name='\"text\"')", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("not JSON: something follows the first value")
	}
	if v == nil {
		return nil, fmt.Errorf("null has no Go type")
	}
	return plainValue(v)
}

func plainValue(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		return plainNumber(v)
	case []any:
		for i := range v {
			e, err := plainValue(v[i])
			if err != nil {
				return nil, err
			}
			v[i] = e
		}
		return typedSlice(v), nil
	case map[string]any:
		for k := range v {
			e, err := plainValue(v[k])
			if err != nil {
				return nil, err
			}
			v[k] = e
		}
	}
	return v, nil
}

func plainNumber(n json.Number) (any, error) {
	if !strings.ContainsAny(n.String(), ".eE") {
		i, err := n.Int64()
		if err != nil {
			return nil, fmt.Errorf("%s does not fit an int", n)
		}
		return int(i), nil
	}
	f, err := n.Float64()
	if err != nil {
		return nil, fmt.Errorf("%s does not fit a float64", n)
	}
	return f, nil
}

// typedSlice is list with the type of its elements, if they share one; whole
// numbers among others count as float64.
func typedSlice(list []any) any {
	if len(list) == 0 {
		return list
	}
	for _, try := range []func([]any) (any, bool){
		sliceOf[int], floats, sliceOf[string], sliceOf[bool], sliceOf[map[string]any],
		sliceOf[[]int], sliceOf[[]float64], sliceOf[[]string],
	} {
		if s, ok := try(list); ok {
			return s
		}
	}
	return list
}

func sliceOf[T any](list []any) (any, bool) {
	s := make([]T, len(list))
	for i, v := range list {
		e, ok := v.(T)
		if !ok {
			return nil, false
		}
		s[i] = e
	}
	return s, true
}

func floats(list []any) (any, bool) {
	s := make([]float64, len(list))
	for i, v := range list {
		switch v := v.(type) {
		case int:
			s[i] = float64(v)
		case float64:
			s[i] = v
		default:
			return nil, false
		}
	}
	return s, true
}
