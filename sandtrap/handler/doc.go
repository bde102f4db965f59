// Package handler makes an http.Handler of the host from one that a script has: a variable with an http.Handler or a
// *http.ServeMux, a function with the parameters of one, or a function that returns one. Each request is a call of
// the script, with the limits of its policy.
//
// A request and its response are copied, whole and within bounds: nothing of a response is sent before the handler has
// returned. So a handler that panics, or reaches a limit, is answered with a response of the host's, which shows
// nothing of the script or the host.
//
// It may not open a port, start a server, or let a value of the host's reach the script.
package handler
