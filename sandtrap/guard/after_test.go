package guard_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// TestAfterPanic: a call that panics, or ends its goroutine, was made: rules count it, and tell of it, and the record has its end. That
// holds for functions with results and without.
func TestAfterPanic(t *testing.T) {
	one := int64(1)
	for name, results := range map[string][]reflect.Type{"no results": nil, "a result": {reflect.TypeFor[int]()}} {
		var events []record.Event
		g := newGated(t, &guard.Policy{
			Record: record.Func(func(e record.Event) error { events = append(events, e); return nil }),
			Rules: []rules.Rule{{
				Name: "once", On: []string{"send"}, Do: rules.Block, Text: "once is enough",
				When:  []rules.Condition{{Count: &rules.Count{Of: "made", Min: &one}}},
				Track: []rules.Track{{After: true, Count: "made"}},
			}, {
				Name: "told", On: []string{"send"}, After: true, Do: rules.Warn, Text: "it was sent",
			}},
		}, decide.Member{Name: "send", Results: results})
		call := func() (err error) {
			defer func() {
				if p := recover(); p != nil && p != "no mail" {
					t.Errorf("%s: %v", name, p)
				}
			}()
			_, err = g.Call(t.Context(), "send", "script.go:1", nil, func() []reflect.Value { panic("no mail") })
			return err
		}
		if err := call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := call(); err == nil || !strings.Contains(err.Error(), "once is enough") {
			t.Errorf("%s: the second call: %v", name, err)
		}
		if len(g.warnings) != 1 || g.warnings[0] != "send: it was sent" {
			t.Errorf("%s: %q", name, g.warnings)
		}
		returns := 0
		for _, e := range events {
			if e.Kind == record.KindReturn {
				returns++
				if e.Error == "" {
					t.Errorf("%s: %+v", name, e)
				}
			}
		}
		if returns != 1 {
			t.Errorf("%s: %d returns in the record", name, returns)
		}
	}
}
