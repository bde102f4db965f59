// Package mcpserver offers runs to models as an MCP server: on stdio, and over HTTP with a server for each tenant. It speaks protocol
// 2026-07-28, where a run that waits is returned as a request for input, and the handshake protocols since 2025-06-18, where the
// server asks its client, or the tool answer takes the answers.
//
// It may not keep anything that a call needs later: that is in the store. Nor may it show a tenant what is another's.
package mcpserver
