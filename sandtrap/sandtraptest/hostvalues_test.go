package sandtraptest

import (
	"errors"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Safe has a field that scripts do not see.
type Safe struct {
	Label string
	pin   int
}

func (s *Safe) Pin() int { return s.pin }

// TestHostValuesHold: a script cannot replace what the host holds, whichever way it
// writes it.
func TestHostValuesHold(t *testing.T) {
	safe := &Safe{Label: "host", pin: 4711}
	shared := []int{1, 2, 3}
	for _, src := range []string{
		"*time.UTC = *time.Local",
		"*time.UTC = time.Location{}",
		"p := time.UTC; *p = time.Location{}",
		"func set() { p, n := time.UTC, 0; *p, n = time.Location{}, 1; _ = n }\nset()",
		"(*(time.UTC)) = time.Location{}",
		"for _, *time.UTC = range []time.Location{{}} {}",
		"type mine time.Location; *(*mine)(time.UTC) = mine{}",
		"type mine time.Location; type ptr *mine; *ptr(time.UTC) = mine{}",
		"type mine time.Location; p := (*mine)(time.UTC)",
		"type mine time.Location; var m mine; p := (*time.Location)(&m)",
		"func set[T any](p *T) { var zero T; *p = zero }\nset(time.UTC)",
		"func set[T any](p *T, v T) { *p = v }\nset(time.UTC, *time.Local)",
		"type box[T any] struct{ p *T }\nfunc (b box[T]) clear() { var zero T; *b.p = zero }\nbox[time.Location]{time.UTC}.clear()",
		"func conv[A any, B any](a A) B { return any(a).(B) }\ntype mine time.Location\nfunc set[P ~*mine](p *time.Location) { *P(p) = mine{} }\nset[*mine](time.UTC)",
		"time.UTC = nil", "time.UTC, x := nil, 1", "p := &time.UTC",
		"*open() = corp.Safe{}",
		"s := open(); *s = corp.Safe{Label: \"mine\"}",
		"type mine corp.Safe; *(*mine)(open()) = mine{}",
		"*corp.Shared = corp.Safe{}",
		"corp.Shared = nil", "corp.Count = 3", "corp.Count++", "p := &corp.Count", "corp.List = nil", "open = nil", "p := &open",
		"open().pin = 1", "x := open().pin",
		"x := corp.Safe{\"a\", 1}",
	} {
		t.Run(src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				p := pure()
				count := 1
				p.Packages = []sandtrap.Package{{Path: "corp", Members: map[string]any{
					"Safe": (*Safe)(nil), "Shared": safe, "Count": builtins.Variable{Pointer: &count}, "List": shared,
				}}}
				p.Funcs = map[string]any{"open": func() *Safe { return safe }}
				res, err := b.RunOnce(p, src)
				if !errors.Is(err, sandtrap.ErrRefused) || engineRefused(res) {
					b.Errorf("error %v, want a refusal by the policy", err)
				}
			})
		})
	}
	if safe.Label != "host" || safe.pin != 4711 || time.UTC.String() != "UTC" || time.Now().UTC().Location() != time.UTC {
		t.Errorf("the host has %+v and %v", safe, time.UTC)
	}
}

// TestOwnValuesOfHostTypes: what the script made itself it may replace.
func TestOwnValuesOfHostTypes(t *testing.T) {
	for _, src := range []string{
		"var b strings.Builder\np := &b\np.WriteString(\"x\")\n*p = strings.Builder{}\nx := p.Len()",
		"now := time.Now()\np := &now\n*p = time.Time{}\nx := 0\nif !p.IsZero() { x = 1 }",
		"type stamp time.Time\ns := stamp(time.Time{})\nx := 0\nif !time.Time(s).IsZero() { x = 1 }",
		"l := time.UTC\nl = time.Local\nl = nil\nx := 0",
	} {
		t.Run(src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.RunOnce(pure(), src)
				if b.RefusedByEngine(res) {
					return
				}
				if err != nil || res.Vars["x"] != 0 {
					b.Errorf("got %v, %v", res.Vars, err)
				}
			})
		})
	}
}
