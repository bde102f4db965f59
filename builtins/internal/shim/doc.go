// Package shim holds what the substitutes of members of the standard library are made with: the run that they
// serve, what their work costs, readers and writers that are paid for, and printing. It knows no table but by Rules.
//
// It may not decide what scripts have: rows do. It may not take memory or time that the run was
// not asked for.
package shim
