package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	for _, code := range []int{200, 201, 204, 304, 400, 404, 418, 429, 500, 503} {
		resp, err := http.Get(fmt.Sprintf("%s/status?code=%d", base, code))
		if err != nil {
			fmt.Println(err)
			continue
		}
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Println(resp.StatusCode, resp.Status, http.StatusText(resp.StatusCode), len(b), resp.ContentLength, resp.Body == http.NoBody)
	}
}
