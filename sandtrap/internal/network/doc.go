// Package network carries HTTP requests of scripts from a worker to its host, whose gate makes them: a Served is the
// host's half, a Remote the worker's. Headers come in one message, bodies in parts, each when the other end wants it.
//
// It may not decide about a request, or open a connection: the gate of package egress does, in the host.
package network
