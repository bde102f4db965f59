/*
GET /
Accept: text/html;q=0.1
X-Many: a
X-Many: b
User-Agent: test/1
Referer: http://example.com/
---
GET /inject
---
GET /names
---
GET /types
*/
package main

import (
	"fmt"
	"net/http"
	"sort"
	"strings"
)

func Handler(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	switch r.URL.Path {
	case "/inject":
		h.Set("X-A", "a\r\nX-Injected: yes")
		h.Set("X-B", "b\nc")
		h.Set("Location", "/x\r\n\r\n<script>")
		fmt.Fprint(w, "ok")
	case "/names":
		h["x-lower"] = []string{"1"}
		h["Bad Name"] = []string{"2"}
		h["Bad:Name"] = []string{"3"}
		h[""] = []string{"4"}
		h["X-Empty"] = nil
		h["Date"] = nil
		h.Add("X-Two", "1")
		h.Add("X-Two", "2")
		h.Set("X-Space", "  trimmed  ")
		fmt.Fprint(w, "ok")
	case "/types":
		h["Content-Type"] = nil
		fmt.Fprint(w, "<html>")
	default:
		var lines []string
		for name, values := range r.Header {
			lines = append(lines, name+"="+strings.Join(values, "|"))
		}
		sort.Strings(lines)
		fmt.Fprintln(w, strings.Join(lines, "\n"))
		fmt.Fprintln(w, r.UserAgent(), r.Referer(), r.Proto, r.ProtoMajor, r.ContentLength, r.ProtoAtLeast(1, 1), r.TransferEncoding)
	}
}

func main() {}
