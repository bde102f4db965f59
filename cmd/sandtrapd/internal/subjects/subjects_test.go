package subjects

import "testing"

// TestTenant: what was kept of a tenant is found by later builds.
func TestTenant(t *testing.T) {
	if got := Tenant("alpha"); got != "8ed3f6ad685b959e" {
		t.Error(got)
	}
}
