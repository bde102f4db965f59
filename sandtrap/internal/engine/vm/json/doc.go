// Package json makes texts of the values of a program, and values of texts, as
// encoding/json does.
//
// It may not import the machine: it sees values through inspect.
package json
