package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	for try := range 5 {
		resp, err := http.Get(fmt.Sprintf("%s/flaky?try=%d", base, try))
		if err != nil {
			fmt.Println(err)
			continue
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		fmt.Println(try, resp.StatusCode, resp.Header.Get("Retry-After"))
		if resp.StatusCode == http.StatusOK {
			break
		}
	}
}
