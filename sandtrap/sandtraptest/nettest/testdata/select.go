package main

import (
	"fmt"
	"net/http"
	"os"
	"time"
)

func main() {
	base := os.Args[1]
	done := make(chan string, 1)
	go func() {
		resp, err := http.Get(base + "/late?ms=300")
		if err != nil {
			done <- err.Error()
			return
		}
		resp.Body.Close()
		done <- resp.Status
	}()
	select {
	case s := <-done:
		fmt.Println("early", s)
	case <-time.After(50 * time.Millisecond):
		fmt.Println("waiting")
	}
	fmt.Println(<-done)
}
