/*
OPTIONS /data
Origin: https://example.com
Access-Control-Request-Method: PUT
---
GET /data
Origin: https://example.com
---
GET /data
Origin: https://evil.example
*/
package main

import (
	"encoding/json"
	"net/http"
	"slices"
)

var allowed = []string{"https://example.com"}

func cors(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		w.Header().Add("Vary", "Origin")
		if slices.Contains(allowed, origin) {
			w.Header().Set("Access-Control-Allow-Origin", origin)
			if r.Method == http.MethodOptions {
				w.Header().Set("Access-Control-Allow-Methods", "GET, PUT")
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func Handler() http.Handler {
	return cors(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(struct {
			OK bool `json:"ok"`
		}{true})
	}))
}

func main() {}
