package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
)

func main() {
	base := os.Args[1]
	resp, err := http.PostForm(base+"/form", url.Values{"a": {"1", "2"}, "b": {"x y&z"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	io.Copy(os.Stdout, resp.Body)
}
