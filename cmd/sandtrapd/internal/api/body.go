package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxNesting bounds how deep objects and arrays of a body are in one another.
const maxNesting = 100

// checkJSON is an error unless text is one value of JSON in UTF-8, where no object has a name twice: readers differ in which of the two
// they take. Names of fields have no capital letters, and encoding/json would take CODE for code: neither the object has such names, nor
// those in its lists.
func checkJSON(text []byte) error {
	if !utf8.Valid(text) {
		return errors.New("it is not UTF-8")
	}
	if bytes.Equal(bytes.TrimSpace(text), []byte("null")) {
		return errors.New("it is null: want an object")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := checkValue(dec, 0, "{["); err != nil {
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

// inside says where the names of fields are in the value of a field, and in a list that has them.
var inside = map[json.Delim]string{'{': "[", '[': "{"}

// checkValue checks the next value. It has names of fields if it begins with one of fields.
func checkValue(dec *json.Decoder, depth int, fields string) error {
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
	names, within := map[string]bool{}, ""
	has := strings.ContainsRune(fields, rune(delim))
	if has {
		within = inside[delim]
	}
	for dec.More() {
		if delim == '{' {
			if err := checkName(dec, names, has); err != nil {
				return err
			}
		}
		if err := checkValue(dec, depth+1, within); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

// checkName reads the next name of an object that has had names, and whose names are those of fields or not.
func checkName(dec *json.Decoder, names map[string]bool, fields bool) error {
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
	if fields && strings.ContainsFunc(name, func(r rune) bool { return unicode.IsUpper(r) || r > unicode.MaxASCII }) {
		return fmt.Errorf("unknown field %.100q", name)
	}
	names[name] = true
	return nil
}
