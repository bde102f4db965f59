package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	resp, err := http.Head(base + "/text")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, resp.ContentLength, len(b), err, resp.Body.Close())
}
