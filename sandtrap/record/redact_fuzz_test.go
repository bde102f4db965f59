package record

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"
)

// FuzzRedact: what comes out is JSON without space that means the same where nothing is a secret, whatever comes in, and the
// second time nothing changes. Arguments that are not JSON for encoding/json are text.
func FuzzRedact(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e+3,"x\u00e9\n",null,true,{}],"b":{"c":[[]]}}`, `{"password":{"a":[1]},"x":"{\"token\":1}"}`, `[01]`, `{"a" 1}`, `[1,]`, `"\x"`,
		`{"a":1,}`, ` 5 `, `"a`, `[`, `"\ud83d"`, `{"\`, "\"\x01\"", `nul`, `{1:2}`, `["--token","x"]`, `{"u":"https://a:b@c/?token=x&y=%41+"}`} {
		f.Add([]byte(s))
	}
	r := new(Redactor)
	if err := r.AddValues("correct horse"); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) == 0 {
			return
		}
		before := bytes.Clone(in)
		e := r.Event(Event{Args: in, Error: string(in)})
		if !bytes.Equal(in, before) {
			t.Fatal("the arguments were changed")
		}
		if !json.Valid(e.Args) || !utf8.Valid(e.Args) || bytes.ContainsAny(e.Args, "\n\r") {
			t.Fatalf("%q is not a part of a line", e.Args)
		}
		if !bytes.Contains(e.Args, []byte(redacted)) && utf8.Valid(in) {
			want := any(string(in))
			if json.Valid(in) {
				want = decode(t, in)
			}
			if got := decode(t, e.Args); !reflect.DeepEqual(got, want) {
				if nested := bytes.Contains(in, []byte(`"`)) && (bytes.Contains(in, []byte("{")) || bytes.Contains(in, []byte("["))); !nested {
					t.Fatalf("%q became %q", in, e.Args)
				}
			}
		}
		if again := r.Event(Event{Args: e.Args}); !bytes.Equal(again.Args, e.Args) {
			t.Fatalf("%q became %q, and then %q", in, e.Args, again.Args)
		}
	})
}

// decode reads JSON with numbers as they are.
func decode(t *testing.T, text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
