package trail

import (
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// reopenEach is how often a record that has failed is opened again at most.
const reopenEach = time.Second

// rewrite writes an event that could not be written because of err, if the record can be opened again: where the disk was full and has room
// now, it goes on after the last whole line.
func (t *Trail) rewrite(e record.Event, err error) error {
	t.copying.Lock()
	defer t.copying.Unlock()
	if t.failed = t.log.Write(e); t.failed == nil { // another one has opened it
		return nil
	}
	t.reopen()
	if t.failed == nil {
		t.failed = t.log.Write(e)
	}
	return t.failed
}

// reopen opens a record that has failed, unless that was tried just now. The lock is held.
func (t *Trail) reopen() {
	if t.closed || time.Since(t.tried) < reopenEach {
		return
	}
	t.tried = time.Now()
	_ = t.log.Close() // tells again of the write that failed, or of the Close before
	log, err := record.Open(t.path, t.o)
	if t.failed = err; err == nil {
		t.log = log
	}
}

// Check reports whether the record takes events, and opens one that has failed.
func (t *Trail) Check() error {
	t.copying.Lock()
	defer t.copying.Unlock()
	if t.failed != nil {
		t.reopen()
	}
	return t.failed
}
