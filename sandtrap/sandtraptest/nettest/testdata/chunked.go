package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	resp, err := http.Get(base + "/chunked?n=5")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		fmt.Println(sc.Text())
	}
	fmt.Println(sc.Err(), resp.ContentLength, resp.TransferEncoding)
}
