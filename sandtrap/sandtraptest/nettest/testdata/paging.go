package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	n := 0
	for page := base + "/page?n=0"; page != ""; {
		resp, err := http.Get(page)
		if err != nil {
			fmt.Println(err)
			return
		}
		var v struct {
			Items []int
			Next  string
		}
		if err := json.NewDecoder(resp.Body).Decode(&v); err != nil {
			fmt.Println(err)
		}
		resp.Body.Close()
		n += len(v.Items)
		page = ""
		if v.Next != "" {
			page = base + v.Next
		}
	}
	fmt.Println(n)
}
