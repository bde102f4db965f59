package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	base := os.Args[1]
	req, _ := http.NewRequest("POST", base+"/lengths", bytes.NewBufferString("12345"))
	fmt.Println(req.ContentLength, req.GetBody != nil)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	io.Copy(os.Stdout, resp.Body)
	resp.Body.Close()
	resp, err = http.Post(base+"/lengths", "", io.MultiReader(strings.NewReader("123"), strings.NewReader("456")))
	if err != nil {
		fmt.Println(err)
		return
	}
	io.Copy(os.Stdout, resp.Body)
	resp.Body.Close()
	resp, err = http.Post(base+"/lengths", "", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	io.Copy(os.Stdout, resp.Body)
	resp.Body.Close()
	resp, err = http.Post(base+"/lengths", "", http.NoBody)
	if err != nil {
		fmt.Println(err)
		return
	}
	io.Copy(os.Stdout, resp.Body)
	resp.Body.Close()
}
