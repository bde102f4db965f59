package sandtrap

import (
	"bytes"
	"io"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/live"
)

// A stdin is the input of the run that is going on. A run that has to end does not wait for
// what is still to come.
type stdin struct{ env *runEnv }

func (s stdin) Read(p []byte) (int, error) {
	switch in := s.env.now.script.Stdin.(type) {
	case nil:
		return 0, io.EOF
	case *strings.Reader, *bytes.Reader, *bytes.Buffer: // they never wait
		return in.Read(p)
	default:
		m := s.env.now.meter
		return readBeside(m, live.Own(m.Context(), in), p)
	}
}

// readBeside reads on a goroutine of its own, into room of its own, which is given up when the
// run has to end.
func readBeside(m *gates.Meter, from io.Reader, p []byte) (int, error) {
	type result struct {
		data     []byte
		err      error
		panicked any
	}
	done := make(chan result, 1)
	room := make([]byte, len(p))
	go engine.LaneOf(m).In(engine.ActFunc(func() { // what it runs itself is nested
		r := result{err: isolate.ErrLeft} // until it returns
		defer func() {
			r.panicked = recover()
			done <- r
		}()
		n, err := from.Read(room)
		r.data, r.err = room[:n], err
	}))
	r := engine.Await(m, done, func() { unwind(m.Check()) })
	if r.panicked != nil {
		panic(r.panicked)
	}
	return copy(p, r.data), r.err
}
