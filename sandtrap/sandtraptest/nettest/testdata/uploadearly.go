package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	r, w := io.Pipe()
	go func() {
		defer w.Close()
		for range 100 {
			if _, err := w.Write(make([]byte, 100000)); err != nil {
				return
			}
		}
	}()
	resp, err := http.Post(base+"/refuse", "text/plain", r)
	if err != nil {
		fmt.Println("error")
		return
	}
	b, err := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, string(b), err)
	resp.Body.Close()
}
