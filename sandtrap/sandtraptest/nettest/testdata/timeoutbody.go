package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

func main() {
	base := os.Args[1]
	client := &http.Client{Timeout: 200 * time.Millisecond}
	resp, err := client.Get(base + "/slow?n=50&ms=50")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = io.ReadAll(resp.Body)
	fmt.Println(err, errors.Is(err, context.DeadlineExceeded))
	var t interface{ Timeout() bool }
	fmt.Println(errors.As(err, &t) && t.Timeout())
	resp.Body.Close()
}
