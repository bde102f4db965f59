package api

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
