package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	client := &http.Client{CheckRedirect: func(req *http.Request, via []*http.Request) error {
		fmt.Println("to", req.URL.Path, req.URL.RawQuery, len(via), via[0].URL.RawQuery)
		if len(via) > 1 {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	resp, err := client.Get(base + "/redirect?n=5")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	loc, err := resp.Location()
	fmt.Println(resp.StatusCode, loc.RawQuery, err)
}
