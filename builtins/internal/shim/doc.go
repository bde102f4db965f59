// Package shim holds what the substitutes of members of the standard library are made with: the run that they
// serve, what their work costs, readers and writers that are paid for, and printing. It knows no table but by Rules.
package shim
