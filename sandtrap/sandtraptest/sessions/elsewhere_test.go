package sessions

import (
	"bytes"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// elsewhere are sessions: what they declare, and a later cell.
var elsewhere = []struct{ before, after string }{
	{
		`e := vault.Short(); v := fmt.Errorf("w: %w", e); w := errors.Join(vault.Deep(), e); p := &fs.PathError{Op: "o", Path: "p", Err: e}`,
		`var s *vault.Shortage; fmt.Println(v, w, p, errors.Is(v, e), errors.Is(w, e), p.Err == e, errors.As(p, &s)); fmt.Println(s.Missing)`,
	},
	{
		`s, m, e := "\xff\x00", map[string]any{"\xfe": "\xfd"}, errors.New("\xfc")`,
		`fmt.Printf("%x %x %x\n", s, m, e.Error())`,
	},
	{
		`bg, todo := context.Background(), context.TODO(); v := []any{bg, todo}`,
		`c, cancel := context.WithCancel(bg); cancel(); fmt.Println(bg == context.Background(), v[1] == todo, bg == todo, bg, todo, c.Err())`,
	},
	{
		`a, m := pair(), pairs(); v := []any{a, m["k"]}`,
		`a.A = 5; m["k"].A = 7; fmt.Println(a, *m["k"], v[0])`,
	},
	{
		`__x, __ := 1, 2; type __t struct{ __f int }; func __g() int { return __x }; var __v = map[string]__t{"k": {3}}; st__y := __g`,
		`__x++; fmt.Println(__x, __, __g(), __v, st__y(), __v["k"].__f)`,
	},
}

// TestSavedElsewhere: a session that was saved in one mode and loaded in another prints what it prints where it began.
func TestSavedElsewhere(t *testing.T) {
	var all []rig.Bench
	rig.EachSession(t, func(b rig.Bench) { all = append(all, rig.Bench{T: t, Mode: b.Mode}) })
	p := hoardPolicy()
	p.Echo = sandtrap.EchoLast
	type pair = struct {
		A int
		B string
	}
	p.Funcs["pair"], p.Funcs["pairs"] = func() pair { return pair{1, "b"} }, func() map[string]*pair { return map[string]*pair{"k": {2, "c"}} }
	for _, from := range all {
		for _, tc := range elsewhere {
			s := from.Session(p)
			from.Cells(s, rig.Cell{tc.before, ""})
			var saved bytes.Buffer
			if err := s.SaveAll(&saved); err != nil {
				t.Errorf("%s: %v", tc.before, err)
				continue
			}
			want, err := s.Run(t.Context(), sandtrap.Script{Text: tc.after})
			if err != nil {
				t.Fatalf("%s: %v", tc.after, err)
			}
			for _, to := range all {
				l, err := to.Box(p).LoadSession(bytes.NewReader(saved.Bytes()))
				if err != nil {
					t.Errorf("%s, from %s to %s: %v", tc.before, from.Isolation, to.Isolation, err)
					continue
				}
				if got, err := l.Run(t.Context(), sandtrap.Script{Text: tc.after}); err != nil || got.Stdout != want.Stdout {
					t.Errorf("%s, from %s to %s: %v; %q, want %q", tc.before, from.Isolation, to.Isolation, err, got.Stdout, want.Stdout)
				}
				l.Close()
			}
		}
	}
}
