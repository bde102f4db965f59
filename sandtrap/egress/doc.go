// Package egress is the way of scripts to the network: HTTP requests that a list allows. A Policy has rules about methods, hosts,
// ports and paths. A Gate makes the requests that they allow: it reads a URL once, in a canonical form; resolves a name once for a
// connection; refuses private, local and other special addresses; dials the address that it has checked; and bounds what a run
// and a tenant use. It attaches secrets that scripts do not see, and removes them from responses. See docs/network.md.
//
// It may not follow a redirect, use a proxy of the environment, resolve a name twice for one connection, or send anything for a
// request that is refused.
package egress
