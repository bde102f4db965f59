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
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "GET", base+"/hang", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = http.DefaultClient.Do(req)
	var ue *url.Error
	fmt.Println(strings.ReplaceAll(err.Error(), base, "BASE"), errors.Is(err, context.DeadlineExceeded), errors.As(err, &ue) && ue.Timeout())
}
