package cli

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestPolicyText: what is printed of a preset is that preset when it is read.
func TestPolicyText(t *testing.T) {
	for _, name := range sandtrap.Presets() {
		var out, errs bytes.Buffer
		if code := Main([]string{"policy", name}, nil, &out, &errs); code != exitOK {
			t.Fatalf("%s: %d, %s", name, code, errs.String())
		}
		want, err := sandtrap.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		got := defaultPolicy()
		if err := decodePolicy(out.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Echo == sandtrap.EchoNone {
			got.Echo = ""
		}
		if (got.Files == nil) != (want.Files == nil) {
			t.Errorf("%s: files are %v", name, got.Files)
		}
		if d := cmp.Diff(want, got, cmpopts.IgnoreFields(sandtrap.Policy{}, "Files", "Env")); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
