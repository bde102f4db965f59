/*
GET /
---
GET /
If-None-Match: "v1"
---
GET /
If-None-Match: "v0"
---
GET /since
If-Modified-Since: Wed, 02 Jan 2030 03:04:05 GMT
*/
package main

import (
	"fmt"
	"net/http"
	"time"
)

var changed = time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)

func Handler(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/since" {
		w.Header().Set("Last-Modified", changed.Format(http.TimeFormat))
		if since, err := http.ParseTime(r.Header.Get("If-Modified-Since")); err == nil && !changed.After(since) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	const tag = `"v1"`
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	fmt.Fprint(w, "content")
}

func main() {}
