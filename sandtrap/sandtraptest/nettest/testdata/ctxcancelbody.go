package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	ctx, cancel := context.WithCancel(context.Background())
	req, _ := http.NewRequestWithContext(ctx, "GET", base+"/slow?n=100&ms=20", nil)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	resp.Body.Read(make([]byte, 10))
	cancel()
	_, err = io.ReadAll(resp.Body)
	fmt.Println(err, errors.Is(err, context.Canceled), resp.Body.Close())
}
