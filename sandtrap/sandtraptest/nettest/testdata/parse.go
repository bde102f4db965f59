package main

import (
	"fmt"
	"net/http"
)

func main() {
	fmt.Println(http.ParseTime("Sun, 06 Nov 1994 08:49:37 GMT"))
	c, err := http.ParseSetCookie("a=b; Path=/; Max-Age=10; Secure; SameSite=Lax")
	fmt.Println(c, err, c.SameSite == http.SameSiteLaxMode)
	list, err := http.ParseCookie("a=1; b=2")
	fmt.Println(len(list), err, http.DetectContentType([]byte("<html>")), http.StatusText(418), http.TimeFormat)
	fmt.Println(http.ParseHTTPVersion("HTTP/1.1"))
}
