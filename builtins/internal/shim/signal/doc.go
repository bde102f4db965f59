// Package signal holds the substitutes of members of os/signal; their rows are in package std.
package signal
