package guard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
)

// object is the JSON object of arguments. One that encoding/json does not write is the text of its type: it is shown, and
// the hash is of no more than that.
func object(params []string, args []reflect.Value) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, arg := range args {
		if i > 0 {
			b.WriteByte(',')
		}
		name := "p" + strconv.Itoa(i)
		if i < len(params) {
			name = params[i]
		}
		key, _ := marshal(name)
		b.Write(key)
		b.WriteByte(':')
		text, err := marshal(arg.Interface())
		if err != nil {
			text, _ = marshal(fmt.Sprintf("(%v)", arg.Type()))
		}
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// marshal is v in JSON, with no letter escaped for HTML.
func marshal(v any) (text []byte, err error) {
	defer func() {
		if p := recover(); p != nil { // a method of v
			err = fmt.Errorf("a method panics with a %T", p)
		}
	}()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err = e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
