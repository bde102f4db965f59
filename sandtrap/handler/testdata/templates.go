/*
GET /
---
GET /?name=%3Cb%3E
---
GET /bad
*/
package main

import (
	"html/template"
	"net/http"
)

var page = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<h1>Hello, {{.Name}}</h1>
<ul>{{range .Items}}<li><a href="/i?x={{.}}">{{.}}</a></li>{{end}}</ul>
`))

func Handler(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/bad" {
		if err := page.Execute(w, 3); err != nil {
			http.Error(w, "cannot show", http.StatusInternalServerError)
		}
		return
	}
	name := r.URL.Query().Get("name")
	if name == "" {
		name = "world"
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	page.Execute(w, map[string]any{"Name": name, "Items": []string{"a", "b&c", `"d"`}})
}

func main() {}
