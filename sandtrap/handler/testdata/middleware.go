/*
GET /
---
GET /
X-Request-Id: abc
---
GET /panic
---
POST /x
*/
package main

import (
	"context"
	"fmt"
	"net/http"
)

type key struct{}

type recorder struct {
	http.ResponseWriter
	status, size int
}

func (r *recorder) WriteHeader(code int) {
	r.status = code
	r.ResponseWriter.WriteHeader(code)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.size += n
	return n, err
}

var log []string

func logging(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &recorder{ResponseWriter: w}
		next.ServeHTTP(rec, r)
		log = append(log, fmt.Sprintf("%s %s %d %d", r.Method, r.URL.Path, rec.status, rec.size))
	})
}

func recovering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if v := recover(); v != nil {
				http.Error(w, fmt.Sprint("recovered: ", v), http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

func requestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-ID")
		if id == "" {
			id = "generated"
		}
		w.Header().Set("X-Request-ID", id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, id)))
	})
}

func chain(h http.Handler, list ...func(http.Handler) http.Handler) http.Handler {
	for i := len(list) - 1; i >= 0; i-- {
		h = list[i](h)
	}
	return h
}

func index(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/panic" {
		panic("oops")
	}
	fmt.Fprintf(w, "id %v, log %q", r.Context().Value(key{}), log)
}

var Handler = chain(http.HandlerFunc(index), logging, recovering, requestID)

func main() {}
