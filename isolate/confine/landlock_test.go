package confine

import "testing"

// TestLadder: each version of Landlock forbids what the one before does, and what it adds.
func TestLadder(t *testing.T) {
	if _, err := atABI(0); err == nil {
		t.Error("a kernel without Landlock is taken for one with it")
	}
	var before rights
	for abi := 1; abi <= len(abis)+3; abi++ {
		r, err := atABI(abi)
		if err != nil {
			t.Fatalf("version %d: %v", abi, err)
		}
		if before.files&^r.files != 0 || before.network&^r.network != 0 || before.scopes&^r.scopes != 0 {
			t.Errorf("version %d forbids less than the one before", abi)
		}
		more := r.files != before.files || r.network != before.network || r.scopes != before.scopes
		if more != (abi <= len(abis)) || r.adds == "" {
			t.Errorf("version %d adds %q", abi, r.adds)
		}
		before = r
	}
	if last, _ := atABI(7); last.files != 0xffff || last.network != 3 || last.scopes != 3 {
		t.Errorf("version 7 forbids %+v", last)
	}
}
