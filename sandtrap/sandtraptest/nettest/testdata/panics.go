package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	defer func() { fmt.Println("recovered", recover()) }()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { panic("in the redirect") }}
	client.Get(base + "/redirect?n=5")
}
