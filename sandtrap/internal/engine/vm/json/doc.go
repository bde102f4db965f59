// Package json makes texts of the values of a program, and values of texts, as
// encoding/json does.
package json
