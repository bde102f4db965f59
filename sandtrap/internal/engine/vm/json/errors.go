package json

import (
	"encoding/json"
	"errors"
	"reflect"
)

// textFailer fails as a type whose MarshalText does.
type textFailer struct{ err error }

func (f textFailer) MarshalText() ([]byte, error) { return nil, f.err }

// textMarshalError is the error of encoding/json for a MarshalText that failed, which
// only encoding/json can make.
func textMarshalError(t reflect.Type, err error) error {
	_, made := json.Marshal(textFailer{err})
	var bad *json.MarshalerError
	if !errors.As(made, &bad) {
		return err
	}
	bad.Type = t
	return bad
}
