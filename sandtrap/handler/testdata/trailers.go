/*
GET /
---
GET /prefix
*/
package main

import (
	"fmt"
	"net/http"
)

func Handler(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/" {
		w.Header().Set("Trailer", "X-Sum, X-Other")
	}
	fmt.Fprint(w, "body")
	w.(http.Flusher).Flush()
	w.Header().Set("X-Sum", "42")
	w.Header().Set(http.TrailerPrefix+"X-Late", "1")
}

func main() {}
