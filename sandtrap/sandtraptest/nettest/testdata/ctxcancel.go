package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	base := os.Args[1]
	ctx, cancel := context.WithCancel(context.Background())
	go func() { time.Sleep(50 * time.Millisecond); cancel() }()
	req, _ := http.NewRequestWithContext(ctx, "GET", base+"/hang", nil)
	_, err := http.DefaultClient.Do(req)
	fmt.Println(strings.ReplaceAll(err.Error(), base, "BASE"), errors.Is(err, context.Canceled))
	req, _ = http.NewRequestWithContext(ctx, "GET", base+"/text", nil)
	_, err = http.DefaultClient.Do(req)
	fmt.Println(strings.ReplaceAll(err.Error(), base, "BASE"), errors.Is(err, context.Canceled))
}
