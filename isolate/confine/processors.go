package confine

import "runtime"

// procs is how many threads run Go code at a time: one runs the script, the other
// collects its garbage.
const procs = 2

// Waits is how many system calls for files a worker may have at a time, beside those for the
// socket: there is a thread for each.
const Waits = 2

// Begin is the first thing that a worker calls: one thread runs Go code until it is locked down. Others
// would wake each other for little.
func Begin() { runtime.GOMAXPROCS(1) }

// useProcessors has the runtime take them: it has one while the worker starts. It does not look for a
// better number any more.
func useProcessors() { runtime.GOMAXPROCS(procs) }
