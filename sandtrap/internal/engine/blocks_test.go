package engine

import (
	"sync/atomic"
	"testing"
)

func TestBlocksAreThoseOfGo(t *testing.T) {
	forget := func() { blocks = [len(blocks)]atomic.Int64{} }
	check := func(n int) {
		if got, want := BlockSize(int64(n), false), int64(cap(grown(n))); got != want {
			t.Fatalf("%d bytes: got a block of %d, want %d", n, got, want)
		}
	}
	forget()
	for n := 0; n <= maxSmall; n++ {
		check(n)
	}
	forget()
	for n := maxSmall; n >= 0; n -= 3 {
		check(n)
	}
	forget()
	check(1000)
	asked := 0
	for i := range blocks {
		if blocks[i].Load() != 0 {
			asked++
		}
	}
	if asked == 0 || asked > 16 {
		t.Errorf("after one block %d sizes are known", asked)
	}
}
