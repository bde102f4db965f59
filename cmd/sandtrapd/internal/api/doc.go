// Package api is the HTTP API of the service: one table of routes says who may do what, and what goes in and out.
//
// It may not run a script, or answer with more than package problem has about a fault of the server.
package api
