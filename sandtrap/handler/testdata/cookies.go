/*
GET /
---
GET /
Cookie: session=abc; theme=dark
---
GET /login
---
GET /odd
---
GET /logout
Cookie: session=abc
*/
package main

import (
	"fmt"
	"net/http"
	"time"
)

var Handler http.Handler

func init() {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		c, err := r.Cookie("session")
		if err == http.ErrNoCookie {
			http.Error(w, "no session", http.StatusUnauthorized)
			return
		}
		fmt.Fprintln(w, c.Name, c.Value, len(r.Cookies()), r.CookiesNamed("theme"))
	})
	mux.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "abc", Path: "/", HttpOnly: true, Secure: true, SameSite: http.SameSiteStrictMode, MaxAge: 3600})
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1", Expires: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)})
		http.Redirect(w, r, "/", http.StatusSeeOther)
	})
	mux.HandleFunc("/odd", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "bad name", Value: "x"})
		http.SetCookie(w, &http.Cookie{Name: "quoted", Value: "a b,c", Path: "/;x"})
		fmt.Fprint(w, w.Header())
	})
	mux.HandleFunc("/logout", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", MaxAge: -1})
		w.WriteHeader(http.StatusNoContent)
	})
	Handler = mux
}

func main() {}
