// Package jobs is what a host asks of a worker that runs scripts, and what it gets: the bodies of the messages of package
// wire. Positions, values and errors are data here; package sandtrap knows what they mean.
//
// It may not know a script, or how bodies are sent.
package jobs
