package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	resp, err := http.Get(base + "/setcookie")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	for _, c := range resp.Cookies() {
		fmt.Println(c.Name, c.Value, c.Path, c.MaxAge, c.HttpOnly, c.String())
	}
	req, _ := http.NewRequest("GET", base+"/cookies", nil)
	req.AddCookie(&http.Cookie{Name: "a", Value: "1"})
	req.AddCookie(&http.Cookie{Name: "b", Value: "two words"})
	c, err := req.Cookie("a")
	fmt.Println(c, err)
	_, err = req.Cookie("zz")
	fmt.Println(err == http.ErrNoCookie, err)
	resp, err = http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	io.Copy(os.Stdout, resp.Body)
	resp.Body.Close()
}
