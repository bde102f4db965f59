// Package rows holds what a table of members is made of: rows, packages of them, and filters.
// It knows no run.
//
// It may not name a package of the standard library, or know a substitute.
package rows
