// Package page serves the pages of the service for browsers: shells of HTML, whose scripts use the API under /v1 with a cookie.
//
// The cookie names a login; the token of its key is kept sealed, and only the cookie opens it. A request to the API with the cookie
// gets the token as its header Authorization, if it comes from a page of this server. So the API decides what a page may do, as for
// any other client, and a key that is gone is gone for the pages too.
//
// It may not read what is kept, or put anything into a page that a script, a tool or a tenant wrote: the scripts of the pages show
// that as text.
package page
