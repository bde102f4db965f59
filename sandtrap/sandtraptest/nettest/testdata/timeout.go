package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

func main() {
	base := os.Args[1]
	client := &http.Client{Timeout: 100 * time.Millisecond}
	_, err := client.Get(base + "/hang")
	var ue *url.Error
	fmt.Println(strings.ReplaceAll(err.Error(), base, "BASE"))
	fmt.Println(errors.As(err, &ue), ue.Timeout(), errors.Is(err, context.DeadlineExceeded), os.IsTimeout(err), ue.Op)
}
