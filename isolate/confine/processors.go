package confine

import "runtime"

// procs is how many threads run Go code at a time: one runs the script, the other
// collects its garbage.
const procs = 2

// Waits is how many system calls for files a worker may have at a time, beside those for the
// socket: there is a thread for each.
const Waits = 2

// useProcessors has the runtime take them: it has one while the worker starts, by package early. It does not
// look for a better number any more.
func useProcessors() { runtime.GOMAXPROCS(procs) }
