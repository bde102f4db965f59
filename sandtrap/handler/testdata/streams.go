/*
GET /flush
---
GET /sse
---
GET /interfaces
*/
package main

import (
	"fmt"
	"io"
	"net/http"
)

func Handler(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/flush":
		f, ok := w.(http.Flusher)
		if !ok {
			http.Error(w, "no flusher", http.StatusInternalServerError)
			return
		}
		for i := range 3 {
			fmt.Fprintf(w, "<p>part %d\n", i)
			f.Flush()
		}
	case "/sse":
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-cache")
		for i := range 3 {
			fmt.Fprintf(w, "event: tick\ndata: %d\n\n", i)
			w.(http.Flusher).Flush()
		}
	case "/interfaces":
		_, sw := w.(io.StringWriter)
		_, fl := w.(http.Flusher)
		_, cl := w.(io.Closer)
		fmt.Fprint(w, sw, fl, cl)
	}
}

func main() {}
