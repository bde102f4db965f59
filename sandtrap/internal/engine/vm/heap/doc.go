// Package heap estimates what a run holds: it follows a sample of what the run allocates until the collector has taken
// it, and takes what the host has made for held until the heap of the process says otherwise.
//
// It may not know values of scripts, or the machine that allocates them.
package heap
