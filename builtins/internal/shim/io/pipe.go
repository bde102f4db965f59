package io

import (
	"io"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimsync "github.com/sandtrap-go/sandtrap/builtins/internal/shim/sync"
)

// A pipe is what the two ends that a script gets from io.Pipe share. Go's own would
// block the host's goroutine; here the tasks of the script wait for each other.
type pipe struct {
	env     *shim.Env
	data    []byte // what the writer at work has left
	writing bool
	ended   bool // one of the ends is closed
	readErr error
	sendErr error // of the reader, for writers

	readers, writers, turns *shimsync.TaskQueue // who waits for data, for them to be read, to write
}

// PipeReader is what a script sees as io.PipeReader, PipeWriter as io.PipeWriter.
type (
	PipeReader struct{ p *pipe }
	PipeWriter struct{ p *pipe }
)

func Pipe(e *shim.Env) func() (*PipeReader, *PipeWriter) {
	return func() (*PipeReader, *PipeWriter) {
		e.Charge(256)
		p := &pipe{env: e}
		return &PipeReader{p}, &PipeWriter{p}
	}
}

// wait puts the task into a queue until it is readied.
func (p *pipe) wait(q **shimsync.TaskQueue) {
	(*q).Add(q, p.env.Park("select", nil))
	p.env.Block()
}

// Read waits for a writer, or for the end.
func (r *PipeReader) Read(b []byte) (int, error) {
	p := r.p
	for !p.ended && !p.writing {
		p.wait(&p.readers)
	}
	if p.ended {
		return 0, p.readError()
	}
	n := copy(b, p.data)
	if p.data = p.data[n:]; len(p.data) == 0 {
		p.writing = false
		p.writers.All()
	}
	return n, nil
}

// Write waits until all of b is read, or for the end.
func (w *PipeWriter) Write(b []byte) (n int, err error) {
	p := w.p
	for !p.ended && (p.writing || p.data != nil) {
		p.wait(&p.turns)
	}
	if p.ended {
		return 0, p.writeError()
	}
	p.data, p.writing = b[:len(b):len(b)], true
	if p.data == nil {
		p.data = []byte{}
	}
	if !p.readers.Empty() {
		p.readers.First()
	}
	for p.writing && !p.ended {
		p.wait(&p.writers)
	}
	n = len(b) - len(p.data)
	done := !p.writing
	p.data, p.writing = nil, false
	if !p.turns.Empty() {
		p.turns.First()
	}
	if !done {
		return n, p.writeError()
	}
	return n, nil
}

// Close is CloseWithError of no error in particular.
func (r *PipeReader) Close() error { return r.CloseWithError(nil) }

// CloseWithError gives later writes an error, the first that is set.
func (r *PipeReader) CloseWithError(err error) error {
	if err == nil {
		err = io.ErrClosedPipe
	}
	if r.p.sendErr == nil {
		r.p.sendErr = err
	}
	r.p.end()
	return nil
}

// Close is CloseWithError of no error in particular.
func (w *PipeWriter) Close() error { return w.CloseWithError(nil) }

// CloseWithError gives later reads an error, the first that is set.
func (w *PipeWriter) CloseWithError(err error) error {
	if err == nil {
		err = io.EOF
	}
	if w.p.readErr == nil {
		w.p.readErr = err
	}
	w.p.end()
	return nil
}

func (p *pipe) end() {
	p.ended = true
	p.readers.All()
	p.writers.All()
	p.turns.All()
}

func (p *pipe) readError() error {
	if p.sendErr == nil && p.readErr != nil {
		return p.readErr
	}
	return io.ErrClosedPipe
}

func (p *pipe) writeError() error {
	if p.readErr == nil && p.sendErr != nil {
		return p.sendErr
	}
	return io.ErrClosedPipe
}
