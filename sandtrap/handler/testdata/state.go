/*
GET /
---
GET /
---
POST /reset
---
GET /
*/
package main

import (
	"fmt"
	"net/http"
)

func counter() http.HandlerFunc {
	n := 0
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			n = 0
			w.WriteHeader(http.StatusResetContent)
			return
		}
		n++
		fmt.Fprintf(w, "visit %d", n)
	}
}

var Handler = counter()

func main() {}
