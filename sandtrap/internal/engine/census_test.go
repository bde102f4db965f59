package engine

import (
	"reflect"
	"runtime"
	"testing"
)

// TestDeep: what is allocated on a stack that is too long to tell whose it is counts for each run, what
// is the host's for none.
func TestDeep(t *testing.T) {
	const size = 64 << 20
	own := reflect.ValueOf(TestDeep).Pointer() + 1
	for _, frames := range []int{1, len(runtime.MemProfileRecord{}.Stack0)} {
		r := runtime.MemProfileRecord{AllocBytes: size, AllocObjects: 1}
		for i := range frames {
			r.Stack0[i] = own
		}
		var s census
		s.add(&r, 512<<10, &counter{})
		want := int64(0)
		if frames > 1 {
			want = size
		}
		if n := s.beneath(3); n != want || s.total != 0 {
			t.Errorf("%d frames: %d bytes, %d of runs, want %d and none", frames, n, s.total, want)
		}
	}
}
