package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	base := os.Args[1]
	for _, code := range []int{301, 302, 303, 307, 308} {
		resp, err := http.Post(fmt.Sprintf("%s/redirectto?code=%d", base, code), "text/plain", strings.NewReader("hello"))
		if err != nil {
			fmt.Println(err)
			continue
		}
		io.Copy(os.Stdout, resp.Body)
		resp.Body.Close()
		fmt.Println()
	}
}
