package cluster

import "context"

// A doing is a job that goes on.
type doing struct {
	cancel     context.CancelFunc
	gets       chan given // contents
	background bool       // nobody waits for it
	near       bool       // of the front of this process, which gives it to nobody else
}

// over makes room for others than a job.
func (w *worker) over(id string, memory int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.room.give(memory)
	if w.doing[id].background {
		w.behind--
	}
	w.doing[id].cancel()
	delete(w.doing, id)
}
