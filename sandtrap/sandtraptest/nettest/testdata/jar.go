package main

import (
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
	"time"
)

// list is a short list of public suffixes.
type list struct{ asked []string }

func (l *list) PublicSuffix(domain string) string {
	l.asked = append(l.asked, domain)
	for _, s := range []string{"co.uk", "github.io"} {
		if domain == s || strings.HasSuffix(domain, "."+s) {
			return s
		}
	}
	return domain[strings.LastIndex(domain, ".")+1:]
}

func (*list) String() string { return "short" }

func show(j http.CookieJar, addr string) {
	u, err := url.Parse(addr)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(addr, ":")
	for _, c := range j.Cookies(u) {
		fmt.Print(" ", c)
	}
	fmt.Println()
}

func main() {
	plain, err := cookiejar.New(nil)
	fmt.Printf("%T %v\n", plain, err)
	l := &list{}
	strict, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: l})
	set := func(addr string, cookies ...*http.Cookie) {
		u, _ := url.Parse(addr)
		strict.SetCookies(u, cookies)
		plain.SetCookies(u, cookies)
	}
	set("https://www.example.co.uk/shop/list?q=1",
		&http.Cookie{Name: "id", Value: "1"}, &http.Cookie{Name: "all", Value: "2", Domain: "example.co.uk", Path: "/"},
		&http.Cookie{Name: "bad", Value: "3", Domain: "co.uk"}, &http.Cookie{Name: "other", Value: "4", Domain: "other.co.uk"},
		&http.Cookie{Name: "s", Value: "5", Secure: true, Path: "/"}, &http.Cookie{Name: "q", Value: "a b", Quoted: true},
		&http.Cookie{Name: "old", Value: "6", Expires: time.Now().Add(-time.Hour)}, &http.Cookie{Name: "new", Value: "7", Expires: time.Now().Add(time.Hour)},
		&http.Cookie{Name: "gone", Value: "8", MaxAge: -1}, &http.Cookie{Name: "kept", Value: "9", MaxAge: 100, Path: "/shop"})
	set("http://me.github.io", &http.Cookie{Name: "io", Value: "1", Domain: ".github.io"}, &http.Cookie{Name: "me", Value: "2", Domain: "ME.github.io"})
	set("http://127.0.0.1:8080/a/b", &http.Cookie{Name: "ip", Value: "1", Domain: "127.0.0.1"}, &http.Cookie{Name: "sec", Value: "1", Secure: true})
	set("http://bücher.example/", &http.Cookie{Name: "idn", Value: "1"})
	set("ftp://example.com/", &http.Cookie{Name: "ftp", Value: "1"})
	for _, j := range []*cookiejar.Jar{strict, plain} {
		for _, addr := range []string{
			"https://www.example.co.uk/shop/list", "http://www.example.co.uk/shop", "http://www.example.co.uk/", "https://shop.example.co.uk/",
			"https://other.co.uk/", "http://me.github.io/x", "http://you.github.io/", "http://127.0.0.1:9090/a/b/c", "http://127.0.0.2/",
			"http://xn--bcher-kva.example/", "HTTP://WWW.EXAMPLE.CO.UK./shop/list", "ftp://example.com/",
		} {
			show(j, addr)
		}
	}
	fmt.Println(len(l.asked), l.asked)
	var zero cookiejar.Jar
	show(&zero, "http://example.com/")

	base := os.Args[1]
	client := &http.Client{Jar: strict}
	for range 2 {
		for _, path := range []string{"/cookies", "/setcookie"} {
			resp, err := client.Get(base + path)
			if err != nil {
				fmt.Println(err)
				return
			}
			resp.Body.Close()
		}
	}
	show(client.Jar, base)
	u, _ := url.Parse(base)
	client.Jar.SetCookies(u, []*http.Cookie{{Name: "session", Value: "", MaxAge: -1, Path: "/"}})
	show(strict, base)
}
