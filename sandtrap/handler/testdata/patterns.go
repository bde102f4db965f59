/*
GET /a/b
---
GET /a/b/c/d
---
GET /exact/
---
GET /exact/x
---
GET /dir
---
GET /dir/x/y
---
POST /a/b
---
GET //a//b
---
GET /a/./b/../c
---
GET /a/b%2Fc
---
GET /files/one%20two
---
CONNECT /a
---
OPTIONS /a/b
---
HEAD /a/b
*/
package main

import (
	"fmt"
	"net/http"
)

func show(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, name, r.Method, r.URL.Path, r.URL.EscapedPath(), r.Pattern, r.PathValue("x"), r.PathValue("rest"), r.PathValue("none"))
	}
}

func Handler() *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("GET /a/{x}", show("one"))
	mux.Handle("/a/{x}/{rest...}", show("rest"))
	mux.Handle("/exact/{$}", show("exact"))
	mux.Handle("/dir/", show("dir"))
	mux.Handle("GET /files/{x}", show("files"))
	mux.Handle("POST /a/{x}", show("post"))
	return mux
}

func main() {}
