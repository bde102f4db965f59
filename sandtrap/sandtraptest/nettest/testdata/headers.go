package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	req, err := http.NewRequest("GET", base+"/headers", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	req.Header.Set("X-One", "1")
	req.Header.Add("x-two", "a")
	req.Header.Add("X-Two", "b")
	req.Header.Set("Authorization", "Bearer t")
	req.Header.Set("User-Agent", "me/1")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	io.Copy(os.Stdout, resp.Body)
	fmt.Println(resp.Header["X-Answer"], resp.Header.Values("x-answer"), req.UserAgent())
}
