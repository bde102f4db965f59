/*
GET /
---
POST /
---
PUT /
---
DELETE /
---
PATCH /
---
OPTIONS /
---
HEAD /
*/
package main

import (
	"fmt"
	"net/http"
)

type methods map[string]http.HandlerFunc

func (m methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h, ok := m[r.Method]; ok {
		h.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Allow", "GET, POST")
	http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
}

var Handler http.Handler = methods{
	http.MethodGet:  func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "got") },
	http.MethodPost: func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusCreated) },
}

func main() {}
