package plans_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestPortable: other machines do runs that open nothing of this one, and count nothing over several runs; and they do them as this one
// does.
func TestPortable(t *testing.T) {
	dir := t.TempDir()
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	plain := "std: [fmt]\nlimits: {ticks: 1000}\n"
	if err := os.WriteFile(filepath.Join(dir, "of-a-file.yaml"), []byte(plain), 0o600); err != nil {
		t.Fatal(err)
	}
	catalog, err := policies.Open(dir, st)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"plain": plain, "rates": "std: [fmt]\nguard:\n  default: allow\n  rates: {\"*\": 3}\n", "network": "std: [net/http]\nnetwork: {rules: [\"GET https://example.com/\"]}\n",
	} {
		if _, err := catalog.Put(t.Context(), name, text, nil); err != nil && name != "network" { // a policy that is sent has none
			t.Fatal(name, err)
		}
	}
	s := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8, Policies: catalog})
	defer s.Close()
	for _, one := range []struct {
		policy, tools, text string
		want                bool
	}{
		{"default", "", "", true}, {"default", "package tools\nfunc F()", "", true}, {"plain", "", plain, true}, {"plain", "package tools\nfunc F()", plain, true},
		{"rates", "", "", false}, {"rates", "package tools\nfunc F()", "", false}, {"of-a-file", "package tools\nfunc F()", "", false}, {"of-a-file", "", "", false},
	} {
		ref, err := s.Resolve(t.Context(), "alpha", one.policy)
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Get(t.Context(), ref, one.tools)
		if err != nil {
			t.Fatal(one.policy, err)
		}
		if b.Portable() != one.want || b.Text != one.text {
			t.Errorf("%s with tools %q: %t, %q", one.policy, one.tools, b.Portable(), b.Text)
		}
		b.Release()
	}
	other := policies.Builtins()
	there := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8, Policies: other})
	defer there.Close()
	b, err := there.Get(t.Context(), other.Adopt("plain", plain), "")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Release()
	res, _ := b.Run(t.Context(), "alpha", sandtrap.Script{Text: "for { }"}) // the error is that of the result
	if res.Error == nil || res.Error.Kind != sandtrap.KindTicks {
		t.Errorf("%v", res.Error)
	}
}
