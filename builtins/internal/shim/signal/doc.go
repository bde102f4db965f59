// Package signal holds the substitutes of members of os/signal; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package signal
