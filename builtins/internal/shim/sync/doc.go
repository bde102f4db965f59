// Package sync holds the substitutes of members of sync and sync/atomic; their rows are in package std.
package sync
