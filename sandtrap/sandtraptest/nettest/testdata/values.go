package main

import (
	"fmt"
	"net/http"
	"os"
)

type doer interface {
	Do(*http.Request) (*http.Response, error)
}

type wrapped struct{ *http.Client }

func main() {
	base := os.Args[1]
	var c http.Client
	f := c.Get
	resp, err := f(base + "/text")
	fmt.Println(resp.StatusCode, err)
	resp.Body.Close()
	var d doer = &c
	req, _ := http.NewRequest("GET", base+"/text", nil)
	resp, err = d.Do(req)
	fmt.Println(resp.StatusCode, err)
	resp.Body.Close()
	resp, err = (*http.Client).Head(&c, base+"/text")
	fmt.Println(resp.StatusCode, err)
	w := wrapped{Client: &c}
	resp, err = w.Get(base + "/text")
	fmt.Println(resp.StatusCode, err)
	resp.Body.Close()
	old := http.DefaultClient
	http.DefaultClient = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err = http.Get(base + "/redirect?n=2")
	fmt.Println(resp.StatusCode, err)
	resp.Body.Close()
	http.DefaultClient = old
}
