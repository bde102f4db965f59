// Package sessions has the sessions of the service: scripts of a tenant that run one after the other, and share variables and files.
//
// What a session has is on disk after each cell, with the outcome of the cell's run: its manifest lists its variables and its files, and
// each content is kept once for each tenant. A session that is used has a worker; one that is idle has none, and is loaded when it is used
// again. So a server that ends, in whatever way, loses nothing that it has acknowledged.
//
// It may not know HTTP, or who a token belongs to; it gives no tenant anything of another one, and writes no file of the machine.
package sessions
