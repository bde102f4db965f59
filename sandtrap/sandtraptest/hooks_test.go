package sandtraptest

import (
	"bytes"
	"slices"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestNoHooks: no method of a script's type is called, whatever its name, when a value of it is copied into a Result, encoded
// there, saved or loaded. A function of the host in a variable is a *Func in a Result.
func TestNoHooks(t *testing.T) {
	eachKeeping(t, func(b bench) {
		var called []string
		p := pure()
		p.Funcs = map[string]any{"called": func(name string) { called = append(called, name) }}
		box := b.Box(p)
		s, err := box.Session()
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		res, err := s.Run(b.Context(), sandtrap.Script{Text: `
type T struct { N int }
func (T) Activate() error { called("Activate"); return nil }
func (T) Close() error { called("Close"); return nil }
func (T) MarshalJSON() ([]byte, error) { called("MarshalJSON"); return nil, nil }
func (*T) UnmarshalJSON([]byte) error { called("UnmarshalJSON"); return nil }
func (T) MarshalText() ([]byte, error) { called("MarshalText"); return nil, nil }
func (T) MarshalBinary() ([]byte, error) { called("MarshalBinary"); return nil, nil }
func (*T) UnmarshalBinary([]byte) error { called("UnmarshalBinary"); return nil }
func (T) GobEncode() ([]byte, error) { called("GobEncode"); return nil, nil }
func (*T) GobDecode([]byte) error { called("GobDecode"); return nil }
x := T{1}
list := []*T{{2}, {3}}
table := map[string]any{"a": T{4}}
hosts := called`})
		if err != nil {
			b.Fatal(err)
		}
		if m, _ := res.Vars["x"].(map[string]any); m["N"] != 1 {
			b.Errorf("%v", res.Vars)
		}
		for _, name := range []string{"x", "list", "table"} {
			if res.JSON(name) == nil {
				b.Errorf("no JSON of %s", name)
			}
		}
		var saved bytes.Buffer
		if _, ok := res.Vars["hosts"].(*sandtrap.Func); !ok {
			b.Errorf("hosts is a %T", res.Vars["hosts"])
		}
		if skipped, err := s.Save(&saved); err != nil || len(skipped) > 0 {
			b.Fatal(skipped, err)
		}
		later, err := box.LoadSession(&saved)
		if err != nil {
			b.Fatal(err)
		}
		defer later.Close()
		if res, err := later.Run(b.Context(), sandtrap.Script{Text: "y := list[1].N + table[\"a\"].(T).N"}); err != nil || res.Vars["y"] != 7 {
			b.Errorf("%v, %v", res.Vars, err)
		}
		if len(called) > 0 {
			b.Errorf("called were %q", called)
		}
		if _, err := later.Run(b.Context(), sandtrap.Script{Text: "hosts(\"by name\")"}); err != nil || !slices.Equal(called, []string{"by name"}) {
			b.Errorf("the function of the host: %q, %v", called, err)
		}
	})
}
