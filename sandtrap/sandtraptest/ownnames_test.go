package sandtraptest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestOwnNames: results, warnings and errors about values that cannot be had name them as the script
// does, and by no type of the sandbox's own.
func TestOwnNames(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine != "vm" {
			return
		}
		p := pure()
		p.Std = []string{"sync", "context"}
		box := b.Box(p)
		for text, want := range map[string]string{
			"m := map[string]any{\"a\": make(chan int)}":                        "chan int",
			"type T struct { C chan int }\nx := []any{T{}}":                     "[map[C:(chan int)]]",
			"var mu sync.Mutex\nm := map[string]*sync.Mutex{\"a\": &mu}":        "sync.Mutex",
			"ctx, cancel := context.WithCancel(context.Background())\ncancel()": "context.",
		} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: text})
			if err != nil {
				b.Fatal(err)
			}
			all := strings.Join(res.Warnings, "\n") + fmt.Sprint(res.Vars, res.Types)
			if strings.Contains(all, "builtins.") || strings.Contains(all, "vm.") || strings.Contains(all, "PANIC") || strings.Contains(all, "is over") || !strings.Contains(all, want) {
				b.Errorf("%s: %s", text, all)
			}
			s, err := box.Session()
			if err != nil {
				b.Fatal(err)
			}
			if _, err := s.Run(b.Context(), sandtrap.Script{Text: text}); err != nil {
				b.Fatal(err)
			}
			var saved bytes.Buffer
			if _, err := s.Save(&saved); err != nil && (strings.Contains(err.Error(), "builtins.") || strings.Contains(err.Error(), "vm.")) {
				b.Errorf("%s: save: %v", text, err)
			}
			s.Close()
		}
	})
}
