// Package problem has the errors of the API, as RFC 9457 has them.
//
// It may not show an error that is the server's own: those are logged, and the client gets their number.
package problem

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
)

// A Problem is the body of each response with an error, application/problem+json. Type is about:blank: Code tells one problem from another.
type Problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
	Code   Code   `json:"code"`
	Detail string `json:"detail"`          // one line or more: what is wrong, and what to do
	Field  string `json:"field,omitempty"` // of the request, that it is about
}

// A Code names a problem. Codes are part of the API: the list is append-only.
type Code string

// The codes.
const (
	Invalid      Code = "invalid"      // the request is malformed
	Unauthorized Code = "unauthorized" // there is no key, or nobody has it
	Forbidden    Code = "forbidden"    // the role may not
	NotFound     Code = "not_found"    // there is none, or it is another tenant's
	Method       Code = "method"       // the path has other methods
	Conflict     Code = "conflict"     // it is in another state, or the idempotency key was used for another request
	TooLarge     Code = "too_large"    // the body
	Limit        Code = "limit"        // of the tenant, which field names; Retry-After says when to try again, unless time alone does not help
	Draining     Code = "draining"     // the server ends; Retry-After says when to try again
	Internal     Code = "internal"     // a fault of the server
	Upstream     Code = "upstream"     // another server, which the request needs, does not do its part
	Storage      Code = "storage"      // the disk of the server takes no more; Retry-After says when to try again
	Cluster      Code = "cluster"      // the server does not reach its cluster; Retry-After says when to try again, and another server may reach it
	Busy         Code = "busy"         // the server has too much to do for all tenants; Retry-After says when to try again
)

var statuses = map[Code]int{
	Invalid: http.StatusBadRequest, Unauthorized: http.StatusUnauthorized, Forbidden: http.StatusForbidden, NotFound: http.StatusNotFound,
	Method: http.StatusMethodNotAllowed, Conflict: http.StatusConflict, TooLarge: http.StatusRequestEntityTooLarge, Limit: http.StatusTooManyRequests,
	Draining: http.StatusServiceUnavailable, Internal: http.StatusInternalServerError, Upstream: http.StatusBadGateway,
	Storage: http.StatusServiceUnavailable, Cluster: http.StatusServiceUnavailable, Busy: http.StatusServiceUnavailable,
}

// Codes are all of them, in the order of their statuses.
func Codes() []Code {
	return slices.SortedFunc(maps.Keys(statuses), func(a, b Code) int {
		return cmp.Or(cmp.Compare(a.Status(), b.Status()), cmp.Compare(a, b))
	})
}

// Status is the status of responses with c.
func (c Code) Status() int { return statuses[c] }

// New is a problem.
func New(code Code, detail string) *Problem {
	status := statuses[code]
	return &Problem{Title: http.StatusText(status), Status: status, Code: code, Detail: detail}
}

// About is p with the field that it is about.
func (p *Problem) About(field string) *Problem {
	q := *p
	q.Field = field
	return &q
}

func (p *Problem) Error() string { return p.Detail }

// Write answers a request with p.
func (p *Problem) Write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(p) // the client is gone
}
