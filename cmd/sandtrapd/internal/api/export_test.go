package api

import "time"

// A Pattern is what tests know of a route.
type Pattern struct {
	Method, Path string
	Body         bool // it reads JSON
}

// Patterns are those of the table of routes.
func Patterns() (list []Pattern) {
	for _, r := range routes() {
		list = append(list, Pattern{r.method, r.path, r.in != nil})
	}
	return list
}

// SetBodyTimeout sets how long a body may take, until the func is called.
func SetBodyTimeout(d time.Duration) func() {
	before := bodyTimeout
	bodyTimeout = d
	return func() { bodyTimeout = before }
}
