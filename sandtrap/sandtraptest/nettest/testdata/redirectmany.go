package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
)

func main() {
	base := os.Args[1]
	_, err := http.Get(base + "/redirect?n=30")
	var ue *url.Error
	fmt.Println(errors.As(err, &ue), ue.Op, strings.TrimPrefix(ue.URL, base), ue.Err, ue.Timeout())
}
