package sandtraptest

import (
	"reflect"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestVarsAfterKept: variables are Go values for the host after the library has kept values of the script, too,
// however the call ended, and so is what functions of the host are given.
func TestVarsAfterKept(t *testing.T) {
	want := map[string]any{"a": []any{1, "x"}}
	for name, src := range map[string]string{
		"kept":     `var m sync.Map; v := map[string]any{"a": []any{1, "x"}}; m.Store(1, v)`,
		"panicked": `var m sync.Map; v := map[string]any{"a": []any{1, "x"}}; m.Store(1, v); m.Store(v, 1)`,
		"pooled":   `v := map[string]any{}; p := sync.Pool{New: func() any { return v }}; p.Get().(map[string]any)["a"] = []any{1, "x"}`,
		"given":    `var m sync.Map; v := map[string]any{"a": []any{1, "x"}}; m.Store(1, v); w, _ := m.Load(1); look(w)`,
	} {
		eachMode(t, func(b bench) {
			if !b.Dispatches {
				return
			}
			var given any
			p := sandtrap.Policy{Limits: limits, Std: sandtrap.StdDefault(), Funcs: map[string]any{"look": func(v any) { given = v }}}
			res, err := b.RunOnce(p, src)
			if (err != nil) != (name == "panicked") || !reflect.DeepEqual(res.Vars["v"], want) {
				b.Errorf("%s: %#v, %v", name, res.Vars["v"], err)
			}
			if name == "given" && !reflect.DeepEqual(given, want) {
				b.Errorf("the host was given %#v", given)
			}
		})
	}
}
