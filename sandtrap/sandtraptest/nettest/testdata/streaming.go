package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	resp, err := http.Get(base + "/slow?n=3&ms=20")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	b := make([]byte, 100)
	n, err := resp.Body.Read(b)
	fmt.Println(string(b[:n]), err)
	rest, err := io.ReadAll(resp.Body)
	fmt.Println(len(rest), err)
}
