/*
GET /api/v1/users/7
---
GET /api/v1/
---
GET /api/v2/users/7
---
GET /static/a.txt
---
GET /static
---
GET /api
---
GET /metrics
*/
package main

import (
	"fmt"
	"net/http"
)

func users() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "user", r.PathValue("id"), r.URL.Path, r.RequestURI, r.Pattern)
	})
	return mux
}

func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/api/v1/", http.StripPrefix("/api/v1", users()))
	mux.Handle("/static/", http.StripPrefix("/static/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "%q", r.URL.Path) })))
	mux.Handle("/wrong/", http.StripPrefix("/other", users()))
	mux.Handle("/api/v2/", http.NotFoundHandler())
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, r *http.Request) {
		h, pattern := mux.Handler(r)
		_, none := mux.Handler(&http.Request{Method: "GET", URL: r.URL, Host: "x"})
		fmt.Fprintln(w, h != nil, pattern, none)
	})
	return mux
}

func main() {}
