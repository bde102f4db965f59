package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	for range 5 {
		resp, err := http.Get(base + "/big?n=10000000")
		if err != nil {
			fmt.Println(err)
			return
		}
		b := make([]byte, 10)
		n, err := io.ReadFull(resp.Body, b)
		fmt.Println(n, err, resp.Body.Close())
		_, err = resp.Body.Read(b)
		fmt.Println(err)
	}
}
