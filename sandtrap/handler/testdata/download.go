/*
GET /report.csv
---
HEAD /report.csv
---
GET /image
---
GET /html
---
GET /large
---
GET /none
*/
package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"strings"
)

func Handler(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/report.csv":
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
		cw := csv.NewWriter(w)
		cw.Write([]string{"id", "name"})
		cw.Write([]string{"1", "a, b"})
		cw.Flush()
	case "/image":
		data := []byte("\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 100))
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		io.Copy(w, bytes.NewReader(data))
	case "/html":
		io.WriteString(w, "<!DOCTYPE ")
		io.WriteString(w, "html><title>x</title>")
	case "/large":
		for i := range 1000 {
			fmt.Fprintf(w, "line %d\n", i)
		}
	default:
		http.NotFound(w, r)
	}
}

func main() {}
