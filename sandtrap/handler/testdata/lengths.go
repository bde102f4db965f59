/*
GET /exact
---
GET /over
---
GET /te
---
HEAD /exact
---
HEAD /big
*/
package main

import (
	"fmt"
	"net/http"
	"strings"
)

func Handler(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/exact":
		w.Header().Set("Content-Length", "5")
		fmt.Fprint(w, "12345")
	case "/over":
		w.Header().Set("Content-Length", "3")
		n, err := fmt.Fprint(w, "12")
		m, err2 := fmt.Fprint(w, "345")
		w.Write([]byte("3"))
		if n != 2 || err != nil || m != 0 || err2 != http.ErrContentLength {
			panic(fmt.Sprint(n, err, m, err2))
		}
	case "/te":
		w.Header().Set("X-Plain", "1")
		fmt.Fprint(w, strings.Repeat("x", 5000))
	case "/big":
		fmt.Fprint(w, strings.Repeat("x", 5000))
	}
}

func main() {}
