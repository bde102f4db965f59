// Package machine reads what this machine has left: memory and processors.
//
// It may not know what they are for.
package machine

// Unknown is the free memory of a machine that does not say.
const Unknown int64 = -1
