package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	for _, u := range []string{"", "://x", "http://", "ftp://example.com/", "/relative", "http://a b/", "http://[::1", "%zz"} {
		_, err := http.NewRequest("GET", u, nil)
		fmt.Println(err)
	}
	_, err := http.NewRequest("G T", base, nil)
	fmt.Println(err)
	_, err = http.NewRequestWithContext(nil, "GET", base, nil)
	fmt.Println(err)
	_, err = (&http.Client{}).Do(&http.Request{})
	fmt.Println(err)
}
