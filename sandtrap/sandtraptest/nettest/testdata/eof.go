package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
)

func main() {
	base := os.Args[1]
	_, err := http.Get(base + "/drop")
	var ue *url.Error
	fmt.Println(errors.As(err, &ue), ue.Err, ue.Err == io.EOF, ue.Timeout())
	resp, err := http.Get(base + "/truncate")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := io.ReadAll(resp.Body)
	fmt.Println(len(b), err, err == io.ErrUnexpectedEOF)

}
