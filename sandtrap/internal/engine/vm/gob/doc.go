// Package gob makes messages of the values of a program, and values of messages, as
// encoding/gob does. The messages are not Go's.
package gob
