package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	resp, err := http.Get(base + "/json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	var v struct {
		Name string   `json:"name"`
		Tags []string `json:"tags"`
		N    int      `json:"n"`
	}
	err = json.NewDecoder(resp.Body).Decode(&v)
	fmt.Printf("%+v %v\n", v, err)
}
