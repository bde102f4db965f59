package sandtraptest

import (
	"errors"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestReturned: what the statements of a snippet return is its result, the same in each mode.
func TestReturned(t *testing.T) {
	eachMode(t, func(b bench) {
		box := b.Box(sandtrap.Policy{Std: []string{"fmt", "errors", "strconv", "time"}, Echo: sandtrap.EchoLast})
		for _, tc := range []struct{ text, echo, of, message string }{
			{"return 5", "5", "int", ""},
			{"n := 3\nif n > 2 {\n\treturn n * 2, nil\n}\nreturn 0, errors.New(\"small\")", "6", "int", ""},
			{"n := 1\nif n > 2 {\n\treturn n * 2, nil\n}\nreturn 0, errors.New(\"small\")", "", "int", "5:11: small"},
			{"return strconv.Atoi(\"12\")", "12", "int", ""},
			{"return strconv.Atoi(\"1x\")", "", "int", "1:8: strconv.Atoi: parsing \"1x\": invalid syntax"},
			{"for i := range 9 {\n\tif i == 4 {\n\t\treturn i\n\t}\n}\nreturn \"none\"", "4", "any", ""},
			{"return map[string]int{\"a\": 1}", "map[string]int{\"a\":1}", "map[string]int", ""},
			{"var result float64\nreturn 1", "1", "float64", ""},
			{"result := 2\nfor range 3 {\n\tresult *= 2\n}\nreturn result", "16", "int", ""},
			{"return 1, \"a\"", "\"a\"", "any", ""},
			{"return nil", "", "", ""},
			{"return errors.New(\"no\")", "", "", "1:8: no"},
			{"var err error\nreturn err", "", "", ""},
			{"defer func() { result = 7 }()\nresult := 1\nreturn result", "1", "int", ""},
			{"f := func() int { return 3 }\nreturn f()", "3", "int", ""},
			{"for {\n\tselect {\n\tdefault:\n\t\tswitch {\n\t\tcase true:\n\t\t\treturn 8\n\t\t}\n\t}\n}", "8", "int", ""},
			{"n := 0\ntop:\n\tfor {\n\t\tif n++; n < 3 {\n\t\t\tcontinue top\n\t\t}\n\t\treturn n\n\t}", "3", "int", ""},
			{"goto end\nend:\n\treturn 4", "4", "int", ""},
			{"func f() {}\nreturn f()", "", "", "2:8: f() (no value) used as value"},
			{"result := 1\nreturn \"a\"", "", "", "2:8: cannot use the value"},
			{"func f() (string, error) { return \"a\", nil }\nresult := 1\nreturn f()", "", "", "3:8: cannot use the value (variable of type string) as int value"},
		} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: tc.text})
			if got := failureOf(err); !strings.HasPrefix(got, tc.message) || (got == "") != (tc.message == "") {
				b.Errorf("%q: ended with %q, want %q", tc.text, got, tc.message)
			}
			var echo string
			if len(res.Echo) > 0 {
				echo = res.Echo[len(res.Echo)-1].Text
			}
			if echo != tc.echo || res.Types["result"] != tc.of {
				b.Errorf("%q: echoed %q and left a result of type %q, want %q and %q", tc.text, echo, res.Types["result"], tc.echo, tc.of)
			}
		}
	})
}

func failureOf(err error) string {
	if e, ok := errors.AsType[*sandtrap.Error](err); ok {
		return strings.TrimPrefix(e.Pos.String(), "script.go:") + ": " + e.Message
	}
	return ""
}

// TestReturnedDecoded: Script.Result has what a snippet returns, of one type or of several.
func TestReturnedDecoded(t *testing.T) {
	type item struct {
		Name  string
		Price float64
	}
	eachMode(t, func(b bench) {
		box := b.Box(sandtrap.Policy{Std: []string{"errors"}})
		const items = "type item struct { Name string; Price float64 }\n"
		var got []item
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: items + "return []item{{\"a\", 1.5}}, nil", Result: &got}); err != nil || len(got) != 1 || got[0] != (item{"a", 1.5}) {
			b.Errorf("of its own type: %v, %v", got, err)
		}
		var one item
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: items + "var none *int\nif none != nil {\n\treturn 1\n}\nreturn item{\"b\", 2}", Result: &one}); err != nil || one != (item{"b", 2}) {
			b.Errorf("of one of two types: %v, %v", one, err)
		}
		var n int
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: "if n := 3; n > 2 {\n\treturn n, nil\n}\nreturn 0, errors.New(\"small\")", Result: &n}); err != nil || n != 3 {
			b.Errorf("a number: %v, %v", n, err)
		}
		n = 9
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: "return 0, errors.New(\"small\")", Result: &n}); !errors.Is(err, sandtrap.KindPanic) || n != 9 {
			b.Errorf("a failure: %v, %v", n, err)
		}
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: "return \"text\"", Result: &n}); !errors.Is(err, sandtrap.KindContract) {
			b.Errorf("of another type: %v", err)
		}
	})
}
