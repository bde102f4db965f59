// Package gob makes streams of the values of a program, and values of streams, as encoding/gob does: each can read what the
// other writes.
//
// It may not import the machine: it sees values through inspect.
package gob
