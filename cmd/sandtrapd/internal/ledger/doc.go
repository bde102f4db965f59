// Package ledger has several servers share what they keep: what one of them has acknowledged, each of them has.
//
// The ledger is a bucket of JetStream with one entry for each run, session, snapshot, batch, key and version of a policy, which is changed by
// compare-and-set: of two servers that change one at a time one is told that it is in another state. What is large is an object beside it.
// Each server has all of it in its own data directory, by a feed: lists and searches are made there, and what a server acknowledges is on its
// own disk too, so that a ledger that has lost its end gets it again.
//
// A server tells the others several times a second that it is there. The runs of one that is silent go on in another one. Its own changes
// of them are refused then, if it comes back. A session is that of one server at a time, by a lease, until another one asks for it.
//
// It may not run a script, or know HTTP.
package ledger
