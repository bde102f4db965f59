package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	req, _ := http.NewRequest("GET", base+"/headers", nil)
	req.SetBasicAuth("joe", "secret")
	u, p, ok := req.BasicAuth()
	resp, err := (&http.Client{}).Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	io.Copy(os.Stdout, resp.Body)
	fmt.Println(u, p, ok)
}
