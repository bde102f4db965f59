// Package http holds the substitutes of members of net/http; their rows are in package std.
//
// It may not decide what scripts have: rows do. It may not reach a network but by the transport of a run: no client
// without one is used.
package http
