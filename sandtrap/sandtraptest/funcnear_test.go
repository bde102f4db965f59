package sandtraptest

import (
	"errors"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestNearFunc: a script that lacks a function that the host calls is told which of its own to rename.
func TestNearFunc(t *testing.T) {
	eachKeeping(t, func(b bench) {
		box := b.Box(pure())
		for src, want := range map[string]string{
			"func Ontick(n int) int { return n }": "(rename Ontick to OnTick)",
			"func other() {}":                     "(declare it at the top level, without type parameters: func OnTick(...))",
			"func OnTick[T any](v T) {}":          "without type parameters",
			"OnTick := 1":                         "declare it at the top level",
		} {
			_, err := box.Run(b.Context(), sandtrap.Script{Text: src, Funcs: []string{"OnTick"}})
			if !errors.Is(err, sandtrap.KindContract) || !strings.Contains(err.Error(), want) {
				b.Errorf("%s: %v, want %s", src, err, want)
			}
		}
		res, err := box.Run(b.Context(), sandtrap.Script{Text: "func OnTick() {}"})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := res.Func("OnTick").Call(b.Context()); err == nil || !strings.Contains(err.Error(), "Script.Funcs names functions") {
			b.Errorf("a call of none: %v", err)
		}
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: `artifact("a.txt", nil)`}); err == nil || !strings.Contains(err.Error(), "Limits.Artifacts") {
			b.Errorf("artifact: %v", err)
		}
	})
}
