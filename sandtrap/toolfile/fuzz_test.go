package toolfile

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// FuzzParse: a file that is not refused makes a policy that compiles, also for workers, and whose reference is Go.
func FuzzParse(f *testing.F) {
	for _, src := range []string{
		"", "func F(a int, b ...string) (x []byte, y map[string]any, err error)",
		"import \"time\"\ntype T struct{ A, B time.Time; C [2]time.Duration }\nfunc F(t T) *T",
		"// T is.\ntype T struct {\n// A is.\nA int `json:\"a,omitempty\"` // b\n}\ntype L int8\ntype N []string\nfunc F(map[L]T)",
		"type A struct{ B []B }; type B struct{ A map[string]A }", "type T [3]struct{}", "func F(a [1e9]int)", "type T = interface{ error }",
		doubling(8), types17(),
	} {
		f.Add([]byte("package tools\n" + src))
	}
	none := func(context.Context, string, json.RawMessage) (json.RawMessage, error) { return nil, nil }
	f.Fuzz(func(t *testing.T, src []byte) {
		file, err := Parse("tools.go", src)
		if err != nil {
			if file != nil {
				t.Fatal("a file, and an error")
			}
			return
		}
		for _, isolation := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process} {
			plan, err := sandtrap.Compile(sandtrap.Policy{Funcs: file.Members(none), Docs: file.Docs(), Std: []string{"time"}, Isolation: isolation})
			if err != nil {
				t.Fatalf("%s: %v\n%q", isolation, err, src)
			}
			reference, err := plan.Reference()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+declarations(reference), 0); err != nil {
				t.Fatalf("%v\n%s\n%q", err, reference, src)
			}
		}
	})
}

// declarations are those of a reference, without the clause of the package.
func declarations(reference string) string {
	_, text, _ := bytes.Cut([]byte(reference), []byte("package main\n"))
	return string(text)
}

// A fuzzHit has the fields of the Hit of FuzzResult.
type fuzzHit struct {
	Title string `json:"title"`
	Score float64
	Seen  time.Time
	Tags  []string
	Count map[int8]uint16 `json:",omitempty"`
	Quote int             `json:"quote,string"`
	Inner struct{ A [2]bool }
	Any   any
	Next  *float32
}

// FuzzResult: a result fits a type of a file if it fits a compiled one with the same fields, and is the same then.
func FuzzResult(f *testing.F) {
	file, err := Parse("tools.go", []byte("package tools\nimport \"time\"\n"+"type Hit struct {\nTitle string `json:\"title\"`\nScore float64\nSeen time.Time\nTags []string\n"+
		"Count map[int8]uint16 `json:\",omitempty\"`\nQuote int `json:\"quote,string\"`\nInner struct{ A [2]bool }\nAny any\nNext *float32\n}\nfunc F() map[string][]Hit"))
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{
		`null`, `{"a":[]}`, `{"a":[{"title":"t","Score":1e400}]}`, `{"a":[{"Seen":"2026-01-02T03:04:05Z","tags":["a"],"Count":{"-3":7},"quote":"4"}]}`,
		`{"b":[{"Inner":{"A":[true,false,true]},"Any":[{"State_":1}],"Next":1.5}]}`, `{"b":[{"State_":{}}]}`, `{"a":[{"Count":{"x":1}}]} 1`,
	} {
		f.Add([]byte(text))
	}
	fn := file.funcs[0]
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := fn.read(file.names, text)
		if checked := file.Check("F", text); fmt.Sprint(checked) != fmt.Sprint(err) {
			t.Fatalf("%v, and %v", err, checked)
		}
		var want map[string][]fuzzHit
		failed := decode(bytes.TrimSpace(text), &want)
		if (err == nil) != (failed == nil) {
			t.Fatalf("got %v, want %v", err, failed)
		}
		if err != nil {
			return
		}
		have, err := marshal(got[0].Interface())
		if err != nil {
			t.Fatal(err)
		}
		if again, err := marshal(want); err != nil || string(have) != string(again) {
			t.Fatalf("got %s, want %s, %v", have, again, err)
		}
	})
}
