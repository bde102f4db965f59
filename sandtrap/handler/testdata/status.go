/*
GET /?code=200
---
GET /?code=204
---
GET /?code=304
---
GET /?code=404
---
GET /?code=418
---
GET /?code=599
---
GET /?code=999
---
GET /twice
---
GET /late
---
GET /nobody
---
GET /early
*/
package main

import (
	"fmt"
	"net/http"
	"strconv"
)

func Handler(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/twice":
		w.WriteHeader(http.StatusAccepted)
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprint(w, "accepted")
	case "/late":
		fmt.Fprint(w, "body")
		w.Header().Set("X-Late", "1")
		w.WriteHeader(http.StatusTeapot)
	case "/nobody":
	case "/early":
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusOK)
		fmt.Fprint(w, "after")
	default:
		code, _ := strconv.Atoi(r.URL.Query().Get("code"))
		w.WriteHeader(code)
		n, err := fmt.Fprint(w, http.StatusText(code))
		if err != nil && err != http.ErrBodyNotAllowed {
			panic(err)
		}
		w.Header().Set("X-Never", fmt.Sprint(n))
	}
}

func main() {}
