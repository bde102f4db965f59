package sandtraptest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestWhatASourceHides: bidirectional controls in code and comments are refused, and those in literals
// have a warning in the result, in the report of Check and in sessions, which is the same in each mode.
func TestWhatASourceHides(t *testing.T) {
	const warning = "script.go:1:8: a literal has the bidirectional control U+202E, which may change the order in which it is shown: write \\u202e"
	eachMode(t, func(b bench) {
		box := b.Box(pure())
		hides := sandtrap.Script{Text: "x := \"a\u202eb\""}
		res, err := box.Run(b.Context(), hides)
		if err != nil || !slices.Equal(res.Warnings, []string{warning}) || res.Vars["x"] != "a\u202eb" {
			b.Errorf("run: %q, %v", res.Warnings, err)
		}
		rep, err := box.Check(b.Context(), hides)
		if err != nil || !slices.Equal(rep.Warnings, []string{warning}) {
			b.Errorf("check: %+v, %v", rep, err)
		}
		for _, text := range []string{"x := 1 // \u2066", "x := \u20661"} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: text})
			if !errors.Is(err, sandtrap.ErrRefused) || res.Error.Pos.Line != 1 || !strings.Contains(err.Error(), `write \u2066`) {
				b.Errorf("%q: %v", text, err)
			}
		}
		if b.Engine != "vm" {
			return
		}
		s, err := box.Session()
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		if res, err := s.Run(b.Context(), hides); err != nil || !slices.Equal(res.Warnings, []string{strings.Replace(warning, "script.go", "cell1.go", 1)}) {
			b.Errorf("cell: %q, %v", res.Warnings, err)
		}
		if res, err := s.Run(b.Context(), sandtrap.Script{Text: "y := x"}); err != nil || len(res.Warnings) > 0 {
			b.Errorf("next cell: %q, %v", res.Warnings, err)
		}
	})
}

// TestErrorsHideNothing: what an error says of itself has no character that a terminal obeys, or that
// shows it in another order; its fields have the script's own text.
func TestErrorsHideNothing(t *testing.T) {
	const evil = "a\x1b[2J\r\u009b\u202e\u2028\x7fz"
	eachMode(t, func(b bench) {
		box := b.Box(pure())
		res, err := box.Run(b.Context(), sandtrap.Script{Text: "panic(\"a\\x1b[2J\\r\\u009b\\u202e\\u2028\\x7fz\")"})
		if err == nil || res.Error.Message != evil {
			b.Fatalf("error %v, %q", err, res.Error.Message)
		}
		if want := `a\x1b[2J\r\u009b\u202e\u2028\x7fz`; !strings.HasSuffix(err.Error(), want) {
			b.Errorf("the error says %q, want %q", err.Error(), want)
		}
		res, err = box.Run(b.Context(), sandtrap.Script{Name: "n\u202e.go", Text: "x := y"})
		if err == nil || strings.Contains(err.Error(), "\u202e") || res.Error.Pos.Name != "n\u202e.go" {
			b.Errorf("the error says %q", err)
		}
	})
}
