package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	body, _ := json.Marshal(map[string]any{"a": 1, "b": []string{"x"}})
	resp, err := http.Post(base+"/echo", "application/json", bytes.NewReader(body))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	io.Copy(os.Stdout, resp.Body)
}
