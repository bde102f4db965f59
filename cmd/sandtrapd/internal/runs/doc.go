// Package runs has the runs of the service, from the request to the outcome: each is on disk before it begins, and when it waits or has
// ended. What goes on is in memory alone; after a crash a run that went on goes on from where it waited last, or has failed and says so.
//
// It may not know HTTP, or who a token belongs to.
package runs
