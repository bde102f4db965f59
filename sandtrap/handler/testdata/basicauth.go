/*
GET /
---
GET /
Authorization: Basic dXNlcjpzZWNyZXQ=
---
GET /
Authorization: Basic !!!
---
GET /
Authorization: Bearer x
*/
package main

import (
	"crypto/subtle"
	"fmt"
	"net/http"
)

func auth(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user, pass, ok := r.BasicAuth()
		if !ok || subtle.ConstantTimeCompare([]byte(pass), []byte("secret")) != 1 {
			w.Header().Set("WWW-Authenticate", `Basic realm="restricted", charset="UTF-8"`)
			http.Error(w, "Unauthorized", http.StatusUnauthorized)
			return
		}
		w.Header().Set("X-User", user)
		next(w, r)
	}
}

var Handler = auth(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "welcome") })

func main() {}
