package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	resp, err := http.Get(base + "/text")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, resp.Status, resp.Proto, resp.ContentLength, string(b), err, resp.Header.Get("content-type"))
}
