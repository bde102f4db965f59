package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	resp, err := http.Get(base + "/redirect?n=3")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, string(b), resp.Request.URL.Path, resp.Request.URL.RawQuery, resp.Request.Header.Get("Referer") != "", resp.Request.Response.StatusCode)
}
