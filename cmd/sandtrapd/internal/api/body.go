package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// maxNesting bounds how deep objects and arrays of a body are in one another.
const maxNesting = 100

// checkJSON is an error unless text is one value of JSON in UTF-8, an object for the struct to, where no object has a name twice: readers
// differ in which of the two they take. Fields have their names exactly, where encoding/json would take other cases too.
func checkJSON(text []byte, to any) error {
	if !utf8.Valid(text) {
		return errors.New("it is not UTF-8")
	}
	if bytes.Equal(bytes.TrimSpace(text), []byte("null")) {
		return errors.New("it is null: want an object")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := checkValue(dec, 0, reflect.TypeOf(to)); err != nil {
		if errors.Is(err, io.EOF) {
			return errors.New("it is empty, or ends too early")
		}
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("something follows the first value")
	}
	return nil
}

// checkValue reads the next value, which is for one of type of, or for anything if of is nil.
func checkValue(dec *json.Decoder, depth int, of reflect.Type) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	if depth == maxNesting {
		return fmt.Errorf("it is nested deeper than %d", maxNesting)
	}
	names := map[string]bool{}
	for dec.More() {
		name := ""
		if delim == '{' {
			if name, err = checkName(dec, names); err != nil {
				return err
			}
		}
		part, err := partOf(of, delim, name)
		if err != nil {
			return err
		}
		if err := checkValue(dec, depth+1, part); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

// partOf is the type of an element, or of what has a name, in a value of type of: nil for anything, also if it is not of that kind at all,
// which Unmarshal says.
func partOf(of reflect.Type, delim json.Delim, name string) (reflect.Type, error) {
	for of != nil && of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch {
	case of == nil, of == reflect.TypeFor[json.RawMessage]():
		return nil, nil
	case delim == '[' && of.Kind() == reflect.Slice, delim == '{' && of.Kind() == reflect.Map:
		return of.Elem(), nil
	case delim == '[' || of.Kind() != reflect.Struct:
		return nil, nil
	}
	for i := range of.NumField() {
		if tag, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ","); tag == name {
			return of.Field(i).Type, nil
		}
	}
	return nil, fmt.Errorf("unknown field %.100q", name)
}

// checkName reads the next name of an object that has had names.
func checkName(dec *json.Decoder, names map[string]bool) (string, error) {
	token, err := dec.Token()
	if err != nil {
		return "", err
	}
	name, ok := token.(string)
	if !ok {
		return "", errors.New("the name of a field is not a string")
	}
	if names[name] {
		return "", fmt.Errorf("the name %.100q is there twice in one object", name)
	}
	names[name] = true
	return name, nil
}
