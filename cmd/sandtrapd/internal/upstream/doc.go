// Package upstream makes the tools of MCP servers functions of Go packages that scripts import: it reads the configuration of the servers,
// makes types from the schemas of their tools, and calls them.
//
// It may not decide about a call: guards of policies do. It may not trust what a server sends: its descriptions, its schemas, its results and
// how many of them there are.
package upstream
