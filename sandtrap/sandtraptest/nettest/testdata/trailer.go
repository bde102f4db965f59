package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	resp, err := http.Get(base + "/trailer")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Trailer)
	b, err := io.ReadAll(resp.Body)
	fmt.Println(string(b), err, resp.Trailer)
}
