package limits_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
)

// TestShare: of what each server counts by itself a tenant has its share at each of several servers, one at least, and nothing where it has nothing; when
// one is gone the others have its share.
func TestShare(t *testing.T) {
	set, st := newSet(t, t.TempDir(), "default: {runs_at_once: 7, runs_per_minute: 100, run_seconds_per_hour: 10, bytes: 1000000}\ntenants:\n  one: {runs_at_once: 1}\n  none: {runs_at_once: 0}\n")
	defer st.Close()
	servers := 1
	set.Among(func() int { return servers })
	is := func(tenant string, want ...int64) {
		t.Helper()
		use, err := set.Use(t.Context(), tenant)
		if got := []int64{use.RunsAtOnce.Limit, use.RunsPerMinute.Limit, use.RunSecondsPerHour.Limit, use.Bytes.Limit}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", tenant, got, err, want)
		}
	}
	is("some", 7, 100, 10, 1000000)
	servers = 3
	is("some", 2, 33, 3, 1000000)
	is("one", 1, 33, 3, 1000000)
	is("none", 0, 33, 3, 1000000)
	var slots []*limits.Slot
	begin := func(want string) {
		t.Helper()
		slot, err := set.Begin(t.Context(), "some")
		e, _ := errors.AsType[*limits.Error](err)
		if want == "" && err == nil {
			slots = append(slots, slot)
		} else if e == nil || e.Name != want || e.Servers != servers || !strings.Contains(err.Error(), "one of 3") {
			t.Errorf("%+v, want %s", err, want)
		}
	}
	begin("")
	begin("")
	begin("runs_at_once")
	for range 31 {
		slots[0].End(0)
		slots = slots[1:]
		begin("")
	}
	slots[0].End(0)
	begin("runs_per_minute")
	servers = 1
	for range 6 {
		begin("")
	}
	use, err := set.Use(t.Context(), "some")
	if err != nil || use.RunsPerMinute.Limit != 100 || use.RunsPerMinute.Used < 38 || use.RunsPerMinute.Used > 39 {
		t.Errorf("%+v, %v", use.RunsPerMinute, err)
	}
}
