/*
POST /echo

some text
---
POST /echo
---
GET /echo
---
POST /limited

0123456789abcdef
---
POST /limited

0123456789
---
POST /handler

0123456789abcdef
---
POST /twice

again
---
POST /ignored

never read
*/
package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
)

func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%q %v %d %v", b, err, r.ContentLength, r.Body == nil)
	})
	mux.HandleFunc("/limited", func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 10)
		b, err := io.ReadAll(r.Body)
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			http.Error(w, fmt.Sprint("limit ", tooLarge.Limit, " ", err), http.StatusRequestEntityTooLarge)
			return
		}
		fmt.Fprintf(w, "%s", b)
	})
	mux.Handle("/handler", http.MaxBytesHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(w, r.Body)
		fmt.Fprint(w, err)
	}), 4))
	mux.HandleFunc("/twice", func(w http.ResponseWriter, r *http.Request) {
		defer r.Body.Close()
		one, _ := io.ReadAll(r.Body)
		two, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%q %q %v", one, two, err)
	})
	mux.HandleFunc("/ignored", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "fine") })
	return mux
}

func main() {}
