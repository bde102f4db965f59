package guardtest

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestUse: a record says which members a run could reach, what those of the host declare, and what the run has used up.
func TestUse(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		var uses []record.Use
		var kinds []record.Kind
		p := rig.Pure()
		p.Funcs = map[string]any{
			"pay":  sandtrap.Member{Value: func(int) {}, Risk: decide.High, Requires: []string{"money"}, Class: decide.Internal, Cost: 2},
			"idle": func() {},
		}
		p.Packages = []sandtrap.Package{{Path: "example.com/mail", Members: map[string]any{"Send": func() {}, "Drop": func() {}}}}
		p.Guard = &guard.Policy{
			Default: guard.AllowByDefault, MaxRisk: decide.High, Permissions: []string{"money"}, MaxClass: decide.Internal, Budget: guard.NewBudget(10),
			Record: record.Func(func(e record.Event) error {
				kinds = append(kinds, e.Kind)
				if e.Kind != record.KindUse {
					return nil
				}
				var u record.Use
				uses = append(uses, u)
				return json.Unmarshal(e.Args, &uses[len(uses)-1])
			}),
		}
		_, err := b.RunOnce(p, `package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"example.com/mail"
)

var in strings.Builder

func main() {
	in.WriteString("a")
	fmt.Print(strings.Repeat("x", 5000), math.MaxInt8)
	if len(in.String()) > 1 {
		json.Valid(nil)
	}
	pay(1)
	mail.Send()
}
`)
		if err != nil || len(uses) != 1 {
			b.T.Fatalf("%v, %d uses", err, len(uses))
		}
		if n := len(kinds); kinds[0] != record.KindStart || kinds[n-2] != record.KindUse || kinds[n-1] != record.KindEnd {
			b.T.Errorf("events: %v", kinds)
		}
		u := uses[0]
		for _, want := range []string{"encoding/json.Valid", "fmt.Print", "strings.Builder.WriteString", "strings.Builder.String", "strings.Repeat", "math.MaxInt8"} {
			if !slices.Contains(u.Standard, want) {
				b.T.Errorf("%s is missing in %v", want, u.Standard)
			}
		}
		want := []record.Reach{
			{Name: "example.com/mail.Send"},
			{Name: "pay", Risk: decide.High, Requires: []string{"money"}, Class: decide.Internal, Cost: 2},
		}
		if d := cmp.Diff(want, u.Host); d != "" {
			b.T.Error(d)
		}
		if u.Output != 5003 || u.Own {
			b.T.Errorf("%+v", u)
		}
	})
}
