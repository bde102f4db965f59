// Package limits says how much each tenant may have of the server: runs at a time and in a minute, the time that they take in an hour,
// the bytes that are kept, and the runs that wait.
//
// It may not know HTTP, or what a run does.
package limits
