package machine

import "testing"

// TestLacks: what nobody has is lacking, and the log has what this machine can.
func TestLacks(t *testing.T) {
	for _, layer := range []string{"user_namespace", "landlock", "no_write_exec", "seccomp", "memory", "cpu", "pids"} {
		t.Logf("%s: %q", layer, Lacks(layer))
	}
	t.Logf("a group of version 2: %q", NewGroup())
	t.Logf("rates of reading here: %q", ReadRate("."))
	if ReadRate("/proc") == "" {
		t.Error("what is on no disk is read at a rate")
	}
	t.Logf("confinement: %q", Confinement())
	if Groups("none") == "" {
		t.Error("there is a controller that nobody has")
	}
}
