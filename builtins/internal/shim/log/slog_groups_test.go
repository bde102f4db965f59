package log

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
)

// TestGroupsAreBounded: no group of a script's is in itself, or so deep that Go's stack
// would not do.
func TestGroupsAreBounded(t *testing.T) {
	e := &shim.Env{}
	groupOf := SlogGroupValue(e)
	attrs := []slog.Attr{slog.Int("a", 1)}
	for name, into := range map[string]func() slog.Value{
		"GroupValue": func() slog.Value { return groupOf(attrs...) },
		"GroupAttrs": func() slog.Value { return SlogGroupAttrs(e)("k", attrs...).Value },
		"AnyValue":   func() slog.Value { return SlogAnyValue(e)(attrs) },
		"Any":        func() slog.Value { return SlogAny(e)("k", attrs).Value },
		"Group":      func() slog.Value { return SlogGroup(e)("k", "g", attrs).Value },
	} {
		attrs[0] = slog.Int("a", 1)
		v := into()
		attrs[0] = slog.Attr{Key: "a", Value: v}
		for _, got := range [][]slog.Attr{SlogValueGroup(e)(v), SlogValueAny(e)(v).([]slog.Attr)} {
			got[0] = slog.Attr{Key: "a", Value: v}
		}
		if p := shimtest.Outcome(func() { boundGroups(e, slog.Attr{Value: v}, 1, 0) }); p != nil {
			t.Errorf("%s: a script can get a group into itself", name)
		}
	}
	long := strings.Repeat("k", maxGroupNames/2)
	for name, wrap := range map[string]func(string, slog.Value) slog.Value{
		"GroupValue": func(key string, v slog.Value) slog.Value { return groupOf(slog.Attr{Key: key, Value: v}) },
		"Group":      func(key string, v slog.Value) slog.Value { return SlogGroup(e)("g", key, v).Value },
		"AnyValue":   func(key string, v slog.Value) slog.Value { return SlogAnyValue(e)([]slog.Attr{{Key: key, Value: v}}) },
	} {
		for key, times := range map[string]int{"k": 2 * maxGroups, long: 4} {
			v := slog.IntValue(1)
			p := shimtest.Outcome(func() {
				for range times {
					v = wrap(key, v)
				}
			})
			if p == nil {
				t.Errorf("%s: %d groups in each other have no bound", name, times)
			}
		}
	}
}

// TestHandlersAreBounded: a record goes to so many handlers at most.
func TestHandlersAreBounded(t *testing.T) {
	multi := SlogNewMultiHandler(&shim.Env{})
	for name, next := range map[string]func(slog.Handler) slog.Handler{
		"twice": func(h slog.Handler) slog.Handler { return multi(h, h) },
		"deep":  func(h slog.Handler) slog.Handler { return multi(h) },
		"with more": func(h slog.Handler) slog.Handler {
			return multi(h.WithGroup("g"), h.WithAttrs([]slog.Attr{slog.Int("a", 1)}))
		},
	} {
		var h slog.Handler = slog.DiscardHandler
		if p := shimtest.Outcome(func() {
			for range 2 * maxHandlers {
				h = next(h)
			}
		}); p == nil {
			t.Errorf("%s: handlers in each other have no bound", name)
		}
	}
}
