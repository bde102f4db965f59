package isolate

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

func TestMapped(t *testing.T) {
	for _, test := range []struct {
		text string
		id   int
		want bool
	}{
		{"         0          0 4294967295\n", nobody, true},
		{"         0       1000          1\n", nobody, false},
		{"         0       1000          1\n         1     100000      65536\n", nobody, true},
		{"         0     100000      65534\n", nobody, false}, // one too few
		{"     70000     100000      65536\n", nobody, false},
		{"", 0, false},
		{"odd\n", 0, false},
	} {
		if got := mapped(test.text, test.id); got != test.want {
			t.Errorf("%d in %q: %v", test.id, test.text, got)
		}
	}
}

// A layer that is missing because of another says so, and an error does not repeat itself.
func TestBecause(t *testing.T) {
	missing := []posture.Layer{
		{Name: posture.UserNamespace, Reason: "no"},
		{Name: posture.PidNamespace, Reason: "no"},
		{Name: posture.NetNamespace, Reason: "no"},
		{Name: posture.Root, Reason: "not permitted"}, // it needs a layer that is there
	}
	because(missing)
	const want = "isolate: missing layers: user_namespace: no; pid_namespace, net_namespace: it needs user_namespace; root: not permitted"
	if got := (&MissingError{missing}).Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
