// Package exec is the machine: the loop that runs programs of package ir, the tasks of a script and what they wait for, the
// memory of values, and how values cross to the host and back. What it asks of the packages above it is in Parts; the
// operations that leave the loop are in Does. Package vm sets both.
//
// It may not print, reflect, encode or call by name, or know a policy: it calls the host through bindings and gates alone.
package exec
