package sandtraptest

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// MarshalText would tell what the policy hides, if it were called.
func (l *Locker) MarshalText() ([]byte, error) { return []byte("danger"), nil }

// TestEncodeReach: encoders come as far into a value of the host's as the policy shows
// it, also where it is a part of one of the script's.
func TestEncodeReach(t *testing.T) {
	for src, want := range map[string]string{
		"xml.Marshal(*locker())":                     "<Locker><Label>L</Label><Inner><Label>I</Label></Inner></Locker>",
		"xml.Marshal(locker())":                      "<Locker><Label>L</Label>",
		"xml.Marshal(own{1, locker()})":              "<own><N>1</N><L><Label>L</Label>",
		"xml.Marshal(embeds{*locker()})":             "<embeds><Label>L</Label>",
		"xml.Marshal([]any{locker(), bare()})":       "<Label>L</Label>",
		"xml.Marshal(struct{ A any }{bare()})":       "unsupported type",
		"xml.Marshal(map[string]any{\"a\": bare()})": "unsupported type",
	} {
		t.Run(src, func(t *testing.T) {
			p := sandtrap.Policy{Std: sandtrap.StdDefault()}
			p.Packages = []sandtrap.Package{{
				Path: "corp", Members: map[string]any{"Locker": (*Locker)(nil)},
				Exclude: []string{"Locker.Danger", "Locker.Code", "Locker.Where", "Locker.MarshalText"},
			}}
			l := &Locker{Label: "L", Code: "1234", Inner: &Locker{Label: "I"}, Where: Hidden{"danger"}, hidden: "danger"}
			p.Funcs = map[string]any{"locker": func() *Locker { return l }, "bare": func() any { return Hidden{"danger"} }}
			res, err := rig.RunOnce(t, p, `
import ("encoding/xml"; "corp")
type own struct { N int; L *corp.Locker }
type embeds struct{ corp.Locker }
_, _ = own{}, embeds{}
text, err := `+src+`
if err != nil { print(err.Error()) }
print(string(text))
`)
			if err != nil {
				t.Fatal(err)
			}
			if got := res.Stderr; !strings.Contains(got, want) || strings.Contains(got, "danger") || strings.Contains(got, "1234") {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
