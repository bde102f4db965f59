// Package batches has many runs that were sent together: a line of a batch is a request, and its run is begun once, however often a process
// ends meanwhile. A batch is one row; its lines are in a queue until their results are there, and its results are its runs.
//
// It may not know HTTP, or how a run is done.
package batches
