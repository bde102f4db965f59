package engine

import "sync/atomic"

const (
	maxSmall    = 32<<10 - blockHeader
	pageSize    = 8 << 10
	blockHeader = 8
	maxHeadless = 512 // a larger block with pointers in it has a header
)

// BlockSize is how many bytes of the block that Go's allocator gives for n bytes can
// be used.
func BlockSize(n int64, pointers bool) int64 {
	if n > maxSmall {
		return (n + pageSize - 1) / pageSize * pageSize
	}
	header := int64(0)
	if pointers && n > maxHeadless {
		header = blockHeader
	}
	return blockOf(n+header) - header
}

// blocks has the size of the block that Go allocates for so many times eight bytes, where that
// has been asked for; all blocks are multiples of it. To ask takes a block, which is why they
// are not asked for together: there are 500 KB of them.
var blocks [(maxSmall+blockHeader)/8 + 1]atomic.Int64

// blockOf is how large the block is that Go allocates for n bytes.
func blockOf(n int64) int64 {
	at := (n + 7) / 8
	if size := blocks[at].Load(); size > 0 {
		return size
	}
	size := int64(cap(grown(int(8 * at))))
	for ; 8*at <= size && at < int64(len(blocks)); at++ {
		blocks[at].Store(size)
	}
	return size
}

// grown has the capacity that Go's append gives n bytes on the heap.
//
//go:noinline
func grown(n int) []byte { return append([]byte(nil), make([]byte, n)...) }
