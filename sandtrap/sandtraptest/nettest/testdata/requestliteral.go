package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
)

func main() {
	base := os.Args[1]
	u, _ := url.Parse(base + "/headers")
	req := &http.Request{Method: "GET", URL: u, Header: http.Header{"X-A": {"1"}}}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	io.Copy(os.Stdout, resp.Body)
}
