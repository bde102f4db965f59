package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"
)

type RetryClient struct {
	Client     *http.Client
	MaxRetries int
	BaseDelay  time.Duration
	MaxDelay   time.Duration
	OnRetry    func(attempt int, resp *http.Response, err error, wait time.Duration)
}

func (c *RetryClient) shouldRetry(resp *http.Response, err error) bool {
	if err != nil {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return false
		}
		var netErr net.Error
		return errors.As(err, &netErr)
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

func (c *RetryClient) delay(attempt int, resp *http.Response) time.Duration {
	if resp != nil {
		if s := resp.Header.Get("Retry-After"); s != "" {
			if secs, err := strconv.Atoi(s); err == nil {
				return time.Duration(secs) * time.Second
			}
			if at, err := http.ParseTime(s); err == nil {
				return time.Until(at)
			}
		}
	}
	d := float64(c.BaseDelay) * math.Pow(2, float64(attempt))
	d += rand.Float64() * float64(c.BaseDelay)
	return min(time.Duration(d), c.MaxDelay)
}

func (c *RetryClient) Do(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		req.Body.Close()
	}
	for attempt := 0; ; attempt++ {
		if body != nil {
			req.Body = io.NopCloser(bytes.NewReader(body))
		}
		resp, err := c.Client.Do(req)
		if !c.shouldRetry(resp, err) {
			return resp, err
		}
		if attempt >= c.MaxRetries {
			if err == nil {
				resp.Body.Close()
				err = fmt.Errorf("giving up after %d attempts: %s", attempt+1, resp.Status)
			}
			return nil, err
		}
		wait := c.delay(attempt, resp)
		if resp != nil {
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		if c.OnRetry != nil {
			c.OnRetry(attempt, resp, err, wait)
		}
		select {
		case <-req.Context().Done():
			return nil, req.Context().Err()
		case <-time.After(wait):
		}
	}
}

func main() {
	base := os.Args[1]
	c := &RetryClient{Client: &http.Client{Timeout: time.Minute}, MaxRetries: 4, BaseDelay: time.Millisecond, MaxDelay: 20 * time.Millisecond}
	c.OnRetry = func(attempt int, resp *http.Response, err error, wait time.Duration) {
		if resp != nil {
			fmt.Println("retry", attempt, resp.Status, wait)
		} else {
			fmt.Println("retry", attempt, err != nil, wait < c.MaxDelay+1)
		}
	}
	for _, tc := range []struct {
		method, path, body string
	}{{"GET", "/flaky/2", ""}, {"POST", "/flaky/3", "some payload"}, {"GET", "/flaky/9", ""}, {"GET", "/missing", ""}} {
		req, err := http.NewRequest(tc.method, base+tc.path, bytes.NewBufferString(tc.body))
		if err != nil {
			fmt.Println(err)
			continue
		}
		resp, err := c.Do(req)
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Printf("%s %s: %d %q\n", tc.method, tc.path, resp.StatusCode, b)
	}
	u, _ := url.Parse(base)
	u.Path = "/drop"
	req, _ := http.NewRequest(http.MethodPost, u.String(), nil)
	_, err := c.Do(req)
	var urlErr *url.Error
	fmt.Println(errors.As(err, &urlErr), urlErr.Op, errors.Is(err, io.EOF))

	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	req, _ = http.NewRequestWithContext(ctx, http.MethodGet, base+"/slow/60000", nil)
	_, err = c.Do(req)
	fmt.Println(errors.Is(err, context.DeadlineExceeded), ctx.Err())
}
