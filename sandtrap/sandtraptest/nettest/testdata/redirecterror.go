package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	base := os.Args[1]
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("no more") }}
	resp, err := client.Get(base + "/redirect?n=5")
	fmt.Println(resp != nil, resp.StatusCode, strings.ReplaceAll(err.Error(), base, "BASE"))
	_, err = io.ReadAll(resp.Body)
	fmt.Println(err)
}
