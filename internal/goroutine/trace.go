package goroutine

import (
	"bytes"
	"runtime"
	"strconv"
	"sync"
)

// byTrace is the number of the calling goroutine, as traces tell it. Only a trace tells, and that of the caller
// may have any number of frames, which the runtime goes through all. The one of a goroutine that
// it starts has one, and tells who did.
func byTrace() int64 {
	c := children.Get().(*child)
	go c.tell()
	<-c.told
	id := creator(c.trace[:c.size])
	children.Put(c)
	return id
}

// A child is a goroutine that tells its trace.
type child struct {
	trace []byte
	size  int
	told  chan struct{}
}

var children = sync.Pool{New: func() any { return &child{make([]byte, 1<<10), 0, make(chan struct{}, 1)} }}

func (c *child) tell() {
	for c.size = runtime.Stack(c.trace, false); c.size == len(c.trace); c.size = runtime.Stack(c.trace, false) {
		c.trace = make([]byte, 2*len(c.trace)) // there is more
	}
	c.told <- struct{}{}
}

// creator is the number of the goroutine that started the one with this trace. A line of it is "created by F in
// goroutine N"; those of who started that goroutine may follow.
func creator(trace []byte) int64 {
	_, created, _ := bytes.Cut(trace, []byte("\ncreated by "))
	line, _, _ := bytes.Cut(created, []byte("\n"))
	id, err := strconv.ParseInt(string(line[bytes.LastIndexByte(line, ' ')+1:]), 10, 64)
	if err != nil {
		return Nobody
	}
	return id
}
