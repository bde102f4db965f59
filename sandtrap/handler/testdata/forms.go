/*
POST /form?q=1&a=query
Content-Type: application/x-www-form-urlencoded

a=1&a=2&b=x+y%26
---
GET /form?a=1;b=2
---
POST /form
Content-Type: application/json

{"a":1}
---
PUT /form
Content-Type: application/x-www-form-urlencoded

a=%zz
---
POST /multi
Content-Type: multipart/form-data; boundary=xx

--xx
Content-Disposition: form-data; name="a"

value
--xx
Content-Disposition: form-data; name="file"; filename="f.txt"
Content-Type: text/plain

line 1
line 2
--xx--
---
POST /multi
Content-Type: multipart/form-data; boundary=xx

--xx
nonsense
---
POST /multi
---
POST /reader
Content-Type: multipart/form-data; boundary=xx

--xx
Content-Disposition: form-data; name="a"

value
--xx--
*/
package main

import (
	"fmt"
	"io"
	"net/http"
)

func Handler(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/form":
		err := r.ParseForm()
		fmt.Fprintln(w, err, r.Form, r.PostForm, r.FormValue("a"), r.PostFormValue("a"), r.FormValue("none"), r.Form.Has("b"))
	case "/multi":
		fmt.Fprintf(w, "%q %q\n", r.FormValue("a"), r.PostFormValue("a"))
		f, head, err := r.FormFile("file")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		defer f.Close()
		b, err := io.ReadAll(f)
		fmt.Fprintf(w, "%s %d %q %v\n", head.Filename, head.Size, b, err)
		fmt.Fprintln(w, r.MultipartForm.Value, len(r.MultipartForm.File), r.ParseMultipartForm(10))
		_, err = r.MultipartReader()
		fmt.Fprintln(w, err)
	case "/reader":
		mr, err := r.MultipartReader()
		if err != nil {
			fmt.Fprintln(w, err)
			return
		}
		for {
			p, err := mr.NextPart()
			if err != nil {
				fmt.Fprintln(w, err)
				break
			}
			b, err := io.ReadAll(p)
			fmt.Fprintln(w, p.FormName(), string(b), err)
		}
		_, err = r.MultipartReader()
		_, _, ferr := r.FormFile("a")
		fmt.Fprintln(w, err, ferr, r.ParseMultipartForm(1))
	}
}

func main() {}
