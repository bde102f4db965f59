// Package gob makes messages of the values of a program, and values of messages, as
// encoding/gob does. The messages are not Go's.
//
// It may not import the machine: it sees values through inspect.
package gob
