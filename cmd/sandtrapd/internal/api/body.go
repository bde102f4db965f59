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

// checkJSON is an error unless text is one value of JSON in UTF-8, where no object has a name twice: readers differ in which of the two
// they take.
func checkJSON(text []byte) error {
	if !utf8.Valid(text) {
		return errors.New("it is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := checkValue(dec, 0); err != nil {
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

func checkValue(dec *json.Decoder, depth int) error {
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
		if delim == '{' {
			if err := checkName(dec, names); err != nil {
				return err
			}
		}
		if err := checkValue(dec, depth+1); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

// checkName reads the next name of an object that has had names.
func checkName(dec *json.Decoder, names map[string]bool) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	name, ok := token.(string)
	if !ok {
		return errors.New("the name of a field is not a string")
	}
	if names[name] {
		return fmt.Errorf("the name %.100q is there twice in one object", name)
	}
	names[name] = true
	return nil
}

// knows is an error if an object of text has a name that t, which it is read into, has not. Package encoding/json would take one in capital
// letters too, where other readers do not.
func knows(text []byte, t reflect.Type) error {
	switch t.Kind() {
	case reflect.Struct:
		var object map[string]json.RawMessage
		if err := json.Unmarshal(text, &object); err != nil {
			return nil // who reads it says so
		}
		for name, value := range object {
			f, ok := t.FieldByNameFunc(func(field string) bool {
				f, _ := t.FieldByName(field)
				tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				return tag == name
			})
			if !ok {
				return fmt.Errorf("unknown field %.100q", name)
			}
			if err := knows(value, f.Type); err != nil {
				return err
			}
		}
	case reflect.Slice:
		var list []json.RawMessage
		if t.Elem().Kind() != reflect.Struct || json.Unmarshal(text, &list) != nil {
			return nil
		}
		for _, value := range list {
			if err := knows(value, t.Elem()); err != nil {
				return err
			}
		}
	}
	return nil
}
