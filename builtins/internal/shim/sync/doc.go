// Package sync holds the substitutes of members of sync and sync/atomic; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package sync
