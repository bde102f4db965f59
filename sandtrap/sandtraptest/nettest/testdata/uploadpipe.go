package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	r, w := io.Pipe()
	go func() {
		for i := range 1000 {
			fmt.Fprintf(w, "line %d\n", i)
		}
		w.Close()
	}()
	resp, err := http.Post(base+"/sum", "text/plain", r)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	io.Copy(os.Stdout, resp.Body)
}
