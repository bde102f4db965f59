// Package rows holds what a table of members is made of: rows, packages of them, and filters.
// It knows no run.
package rows
