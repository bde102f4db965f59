package cluster

import "context"

// A doing is a job that goes on.
type doing struct {
	cancel     context.CancelFunc
	gets       chan given // contents
	background bool       // nobody waits for it
	near       bool       // of the front of this process, which gives it to nobody else
	cut        bool       // it was ended since the worker was cut off, and not by its front
}

// over makes room for others than a job. It reports whether that was cut.
func (w *worker) over(id string, memory int64) (cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.room.give(memory)
	if w.doing[id].background {
		w.behind--
	}
	d := w.doing[id]
	d.cancel()
	delete(w.doing, id)
	return d.cut
}
