/*
GET /old
---
POST /old
---
GET /dir/rel?x=1
---
GET /permanent
---
GET /away
---
HEAD /old
*/
package main

import (
	"net/http"
)

func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/old", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/new?a=b&c=\"d\"", http.StatusFound)
	})
	mux.HandleFunc("/dir/rel", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "../up/./x", http.StatusTemporaryRedirect)
	})
	mux.Handle("/permanent", http.RedirectHandler("/moved", http.StatusMovedPermanently))
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		http.Redirect(w, r, "https://example.com/\u00e9", http.StatusPermanentRedirect)
	})
	return mux
}

func main() {}
