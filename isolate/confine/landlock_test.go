package confine

import (
	"strings"
	"testing"
)

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
}

// TestLadderMasks: the bits of each version are those of the kernel's linux/landlock.h, as the documentation of Landlock
// lists them by version.
func TestLadderMasks(t *testing.T) {
	const (
		first    = 0x1fff // LANDLOCK_ACCESS_FS_EXECUTE to _MAKE_SYM
		refer    = 0x2000
		truncate = 0x4000
		ioctlDev = 0x8000
		tcp      = 0x3 // LANDLOCK_ACCESS_NET_BIND_TCP, _CONNECT_TCP
		scopes   = 0x3 // LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET, _SIGNAL
	)
	for abi, want := range map[int][3]uint64{
		1: {first, 0, 0},
		2: {first | refer, 0, 0},
		3: {first | refer | truncate, 0, 0},
		4: {first | refer | truncate, tcp, 0},
		5: {first | refer | truncate | ioctlDev, tcp, 0},
		6: {first | refer | truncate | ioctlDev, tcp, scopes},
		7: {first | refer | truncate | ioctlDev, tcp, scopes}, // adds how refusals are logged
	} {
		if r, err := atABI(abi); err != nil || [3]uint64{r.files, r.network, r.scopes} != want {
			t.Errorf("version %d forbids %#x, %#x, %#x, want %#x; %v", abi, r.files, r.network, r.scopes, want, err)
		}
	}
}

// TestLadderTold: of a kernel with an old version of Landlock the layer says what is not forbidden: all that later versions
// add, and nothing of its own. Of a new one it says nothing.
func TestLadderTold(t *testing.T) {
	for abi := 1; abi <= len(abis)+2; abi++ {
		said := made(abi, 0)
		for i, r := range abis {
			if told, want := strings.Contains(said, r.adds), i >= abi; told != want {
				t.Errorf("version %d: %q, and %q: %v", abi, said, r.adds, want)
			}
		}
		if (said == "") != (abi >= len(abis)) {
			t.Errorf("version %d: %q", abi, said)
		}
	}
	const want = "but for reading beneath 2 directories; version 5, which does not forbid: signals and abstract sockets of others"
	if got := made(5, 2); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
