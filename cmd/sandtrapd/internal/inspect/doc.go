// Package inspect says what a cluster has of a ledger, and whether this program fits it: for doctor. It changes nothing.
//
// It may not open the ledger: a server that does so is one of those that share it.
package inspect
