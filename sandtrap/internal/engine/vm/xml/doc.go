// Package xml puts values of a program into elements, and elements into values, as
// encoding/xml does. What is a well-formed text is for its callers to know.
//
// It may not import the machine: it sees values through inspect.
package xml
