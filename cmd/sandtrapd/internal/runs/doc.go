// Package runs has the runs of the service, from the request to the outcome: each is on disk before it begins, and when it waits or has
// ended. What goes on is in memory alone. After a crash a run that went on is repeated from where it waited last, or from its beginning, if
// calls that wait for answers are its only effects: it then prints the same, and its events have the same numbers. Otherwise it has failed
// and says so.
//
// It may not know HTTP, or who a token belongs to.
package runs
