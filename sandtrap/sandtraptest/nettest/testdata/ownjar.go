package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
)

type jar struct {
	m          map[string][]*http.Cookie
	set, asked int
}

func (j *jar) SetCookies(u *url.URL, list []*http.Cookie) { j.set++; j.m[u.Host] = list }
func (j *jar) Cookies(u *url.URL) []*http.Cookie          { j.asked++; return j.m[u.Host] }

func main() {
	base := os.Args[1]
	j := &jar{m: map[string][]*http.Cookie{}}
	client := &http.Client{Jar: j}
	for range 2 {
		resp, err := client.Get(base + "/setcookie")
		if err != nil {
			fmt.Println(err)
			return
		}
		resp.Body.Close()
	}
	resp, err := client.Get(base + "/cookies")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	io.Copy(os.Stdout, resp.Body)
	fmt.Println(j.set, j.asked)
}
