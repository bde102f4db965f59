package dispatch

import "time"

// Workers are what a queue knows of those who do its jobs.
type Workers struct {
	List  []Worker // by name
	Again int64    // jobs that were sent to another worker, since the start of the process
}

// A Worker does jobs of a queue.
type Worker struct {
	Name      string
	Slots     int // how many jobs it does at a time; 0 when it takes no more
	Running   int
	Isolation string
	Memory    int64     // bytes that jobs may have, in all
	Free      int64     // of them, what none has
	Load      int       // of 100 for each processor of its machine
	Version   string    // of its program; empty if it is not known
	Seen      time.Time // when it was heard last
	Unfit     string    // why it gets no jobs; empty if it does
}
