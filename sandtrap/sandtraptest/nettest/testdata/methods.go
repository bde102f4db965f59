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
	for _, m := range []string{http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions} {
		req, err := http.NewRequest(m, base+"/echo", strings.NewReader("body of "+m))
		if err != nil {
			fmt.Println(err)
			continue
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			fmt.Println(err)
			continue
		}
		io.Copy(os.Stdout, resp.Body)
		resp.Body.Close()
		fmt.Println()
	}
}
