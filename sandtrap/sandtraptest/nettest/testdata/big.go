package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	base := os.Args[1]
	resp, err := http.Get(base + "/big?n=5000000")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	h := sha256.New()
	n, err := io.Copy(h, resp.Body)
	fmt.Println(n, err, hex.EncodeToString(h.Sum(nil)))
}
