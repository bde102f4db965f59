package sandtraptest

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestExcerpt: an error shows the line of the text as it was sent, with a caret under the place.
func TestExcerpt(t *testing.T) {
	eachMode(t, func(b bench) {
		box := b.Box(sandtrap.Policy{Std: []string{"fmt", "strings"}})
		for _, tc := range []struct{ name, text, want string }{
			{"type", "x := 1\n\ty := x + \"a\"", "\ty := x + \"a\"\n\t     ^"},
			{"syntax", "for i := range 3\n{\n}", "for i := range 3\n                ^"},
			{"fence", "Here:\n```go\nfmt.Printn(1)\n```\n", "fmt.Printn(1)\n    ^"},
			{"panic", "func f() {\n\tpanic(1)\n}\nf()", "\tpanic(1)\n\t^"},
			{"control characters", "fmt.Printn(\"\x1b[2J\")", `fmt.Printn("\x1b[2J")` + "\n    ^"},
			{"long line", "x := " + strings.Repeat("1 + ", 60) + "y", ""},
		} {
			if b.StartLines && tc.name == "panic" { // it has the line where the function begins
				continue
			}
			res, err := box.Run(b.Context(), sandtrap.Script{Text: tc.text, Name: "a.go"})
			var e *sandtrap.Error
			if !errors.As(err, &e) || e.Excerpt() != tc.want || res.Error != e {
				b.Errorf("%s: %v\n%q, want\n%q", tc.name, err, e.Excerpt(), tc.want)
			}
		}
		if _, err := box.Check(b.Context(), sandtrap.Script{Text: "x := y"}); excerpt(err) != "x := y\n     ^" {
			b.Errorf("Check: %q", excerpt(err))
		}
		_, err := box.Run(b.Context(), sandtrap.Script{Text: "x := y\nz := w"})
		var e *sandtrap.Error
		if !errors.As(err, &e) || len(e.More) != 1 || e.More[0].Excerpt() != "z := w\n     ^" {
			b.Errorf("the second reason: %v", err)
		}
	})
}

// TestExcerptOfCells: an error in a cell shows the cell, and not the line of that number in another one.
func TestExcerptOfCells(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("engine yaegi has no sessions")
		}
		s, err := b.Box(sandtrap.Policy{Std: []string{"fmt"}}).Session()
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		for _, tc := range []struct{ text, want string }{
			{"func f() {\n\tpanic(1)\n}", ""},
			{"1\nz", "z\n^"},
			{"x := 1\nf()", ""},
			{"x + 1\nx +", "x +\n   ^"},
			{"x := 2\npanic(x)", "panic(x)\n^"},
			{"err := fmt.Errorf(\"bad\")\nreturn err", "return err\n       ^"},
			{"go f()\nfor {\n}", ""},
		} {
			if _, err := s.Run(b.Context(), sandtrap.Script{Text: tc.text}); excerpt(err) != tc.want {
				b.Errorf("%q: %v: %q, want %q", tc.text, err, excerpt(err), tc.want)
			}
		}
	})
}

func excerpt(err error) string {
	e, ok := errors.AsType[*sandtrap.Error](err)
	if !ok {
		return ""
	}
	return e.Excerpt()
}

// TestErrorJSON: an error is an object in JSON, with its excerpt and the other reasons.
func TestErrorJSON(t *testing.T) {
	eachMode(t, func(b bench) {
		box := b.Box(sandtrap.Policy{Std: []string{"fmt"}})
		for text, want := range map[string]string{
			"x := a < b": `{"kind":"type","message":"undefined: a","hint":"declare it before it is used","name":"a","line":1,"column":6,"file":"script.go","excerpt":"x := a < b\n     ^","stack":[],` +
				`"more":[{"kind":"type","message":"undefined: b","hint":"declare it before it is used","name":"b","line":1,"column":10,"file":"script.go","excerpt":"x := a < b\n         ^","stack":[]}]}`,
			"func f() { panic(3) }\nf()": `{"kind":"panic","message":"3","line":1,"column":12,"file":"script.go","excerpt":"func f() { panic(3) }\n           ^",` +
				`"stack":[{"func":"main.f","line":1,"column":12,"file":"script.go"},{"func":"main.main","line":2,"column":1,"file":"script.go"}]}`,
		} {
			_, err := box.Run(b.Context(), sandtrap.Script{Text: text})
			got, jsonErr := json.Marshal(err)
			if jsonErr != nil {
				b.Fatal(jsonErr)
			}
			got = []byte(strings.NewReplacer(`\u003c`, "<").Replace(string(got)))
			if b.StartLines { // lines of callers are those where their functions begin
				continue
			}
			if string(got) != want {
				b.Errorf("%q:\n%s, want\n%s", text, got, want)
			}
		}
	})
}

// TestExcerptOfFuncs: an error of a function that the host calls after the run shows the script that declares it.
func TestExcerptOfFuncs(t *testing.T) {
	eachKeeping(t, func(b bench) {
		box := b.Box(pure())
		res, err := box.Run(b.Context(), sandtrap.Script{Text: "func Bad(n int) int {\n\treturn 1 / n\n}", Funcs: []string{"Bad"}})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: "x := 1\n_ = x"}); err != nil {
			b.Fatal(err)
		}
		if _, err := res.Func("Bad").Call(b.Context(), 0); excerpt(err) != "\treturn 1 / n\n\t         ^" {
			b.Errorf("%v: %q", err, excerpt(err))
		}
	})
}
