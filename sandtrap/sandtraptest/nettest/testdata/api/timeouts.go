package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"
)

func classify(err error) string {
	var netErr net.Error
	var opErr *net.OpError
	var dnsErr *net.DNSError
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline"
	case errors.As(err, &dnsErr):
		return "dns"
	case errors.As(err, &opErr):
		return "connection " + opErr.Op
	case errors.As(err, &netErr) && netErr.Timeout():
		return "timeout"
	case os.IsTimeout(err):
		return "os timeout"
	default:
		return "other"
	}
}

func fetch(ctx context.Context, client *http.Client, addr string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, addr, nil)
	if err != nil {
		return "", fmt.Errorf("new request: %w", err)
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}

func main() {
	base := os.Args[1]
	ctx := context.Background()
	short := &http.Client{Timeout: 40 * time.Millisecond}

	body, err := fetch(ctx, http.DefaultClient, base+"/slow/1")
	fmt.Printf("%q %s\n", body, classify(err))

	_, err = fetch(ctx, short, base+"/slow/60000")
	var ue *url.Error
	fmt.Println(classify(err), errors.As(err, &ue) && ue.Timeout(), os.IsTimeout(err), ue.Op)
	fmt.Println(err.Error()[len(err.Error())-len("(Client.Timeout exceeded while awaiting headers)"):])

	tctx, cancel := context.WithTimeout(ctx, 40*time.Millisecond)
	_, err = fetch(tctx, http.DefaultClient, base+"/slow/60000")
	cancel()
	fmt.Println(classify(err), tctx.Err())

	cctx, ccancel := context.WithCancel(ctx)
	time.AfterFunc(30*time.Millisecond, ccancel)
	_, err = fetch(cctx, http.DefaultClient, base+"/slow/60000")
	fmt.Println(classify(err), errors.Unwrap(err) == context.Canceled)

	why := errors.New("the user left")
	wctx, wcancel := context.WithCancelCause(ctx)
	go func() {
		time.Sleep(20 * time.Millisecond)
		wcancel(why)
	}()
	_, err = fetch(wctx, http.DefaultClient, base+"/slow/60000")
	fmt.Println(classify(err), context.Cause(wctx))

	done, dcancel := context.WithDeadline(ctx, time.Now().Add(-time.Second))
	defer dcancel()
	_, err = fetch(done, http.DefaultClient, base+"/slow/1")
	fmt.Println(classify(err))

	_, err = fetch(ctx, http.DefaultClient, "http://bad host/")
	fmt.Println(err)
	_, err = fetch(ctx, http.DefaultClient, "/relative")
	fmt.Println(err)
	_, err = fetch(ctx, http.DefaultClient, "")
	fmt.Println(err)

	results := make(chan string, 3)
	race, rcancel := context.WithCancel(ctx)
	for _, ms := range []string{"60000", "10", "50000"} {
		go func() {
			body, err := fetch(race, http.DefaultClient, base+"/slow/"+ms)
			results <- fmt.Sprintf("%s ms: %q %s", ms, body, classify(err))
		}()
	}
	fmt.Println("winner:", <-results)
	rcancel()
	a, b := <-results, <-results
	if a < b {
		a, b = b, a
	}
	fmt.Println(a, "|", b)
}
