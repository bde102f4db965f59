// Package xml puts values of a program into elements, and elements into values, as
// encoding/xml does. What is a well-formed text is for its callers to know.
package xml
