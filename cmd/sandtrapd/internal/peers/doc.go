// Package peers has the servers that share a ledger hear of each other: which of them are there, and which is silent.
//
// Each tells the others several times a second that it is there, with a few words of itself. It is a hint, and decides nothing alone: who takes over
// what a silent server had does so by compare-and-set.
//
// It may not know what servers share.
package peers
