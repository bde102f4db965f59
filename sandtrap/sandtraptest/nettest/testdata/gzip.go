package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	resp, err := http.Get(base + "/gzip")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	fmt.Println(len(b), err, resp.Uncompressed, resp.ContentLength, resp.Header.Get("Content-Encoding"))
	req, _ := http.NewRequest("GET", base+"/gzip", nil)
	req.Header.Set("Accept-Encoding", "gzip")
	resp, err = http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	zr, err := gzip.NewReader(resp.Body)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err = io.ReadAll(zr)
	fmt.Println(len(b), err, resp.Uncompressed, resp.Header.Get("Content-Encoding"))
	resp.Body.Close()
}
