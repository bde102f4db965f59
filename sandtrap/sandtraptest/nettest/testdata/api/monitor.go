package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"sort"
	"strings"
	"sync"
	"time"
)

type Check struct {
	Name     string
	Path     string
	Expect   int
	Contains string
	Timeout  time.Duration
}

type Result struct {
	Check  Check         `json:"-"`
	Name   string        `json:"name"`
	OK     bool          `json:"ok"`
	Status int           `json:"status,omitempty"`
	Error  string        `json:"error,omitempty"`
	Took   time.Duration `json:"-"`
}

func run(parent context.Context, base string, c Check) (r Result) {
	r = Result{Check: c, Name: c.Name}
	began := time.Now()
	defer func() {
		r.Took = time.Since(began)
		if p := recover(); p != nil {
			r.OK, r.Error = false, fmt.Sprint("panic: ", p)
		}
	}()
	ctx, cancel := context.WithTimeout(parent, c.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+c.Path, nil)
	if err != nil {
		r.Error = "bad request"
		return r
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		if ue, ok := err.(*url.Error); ok && ue.Timeout() {
			r.Error = "timeout"
		} else {
			r.Error = "unreachable"
		}
		return r
	}
	defer resp.Body.Close()
	r.Status = resp.StatusCode
	body, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	switch {
	case err != nil:
		r.Error = "read: " + err.Error()
	case resp.StatusCode != c.Expect:
		r.Error = fmt.Sprintf("want %d %s", c.Expect, http.StatusText(c.Expect))
	case c.Contains != "" && !strings.Contains(string(body), c.Contains):
		r.Error = fmt.Sprintf("%q is missing", c.Contains)
	default:
		r.OK = true
	}
	return r
}

func main() {
	fs := flag.NewFlagSet("monitor", flag.ContinueOnError)
	workers := fs.Int("workers", 3, "checks at a time")
	format := fs.String("format", "text", "text or json")
	if err := fs.Parse([]string{"-workers", "4", "-format=json"}); err != nil {
		fmt.Println(err)
		return
	}
	base := os.Args[1]
	u, err := url.Parse(base)
	if err != nil {
		fmt.Println(err)
		return
	}
	host, port, err := net.SplitHostPort(u.Host)
	ip := net.ParseIP(host)
	fmt.Println(port != "", err, ip.IsLoopback(), net.JoinHostPort("::1", "80"))
	_, loopback, _ := net.ParseCIDR("127.0.0.0/8")
	fmt.Println(loopback.Contains(ip), loopback)

	checks := []Check{
		{"root", "/tree/0", http.StatusOK, `"children":[1,2]`, time.Minute},
		{"unlucky", "/tree/13", http.StatusOK, "", time.Minute},
		{"gone", "/nothing", http.StatusNotFound, "404 page not found", time.Minute},
		{"slow", "/slow/60000", http.StatusOK, "", 50 * time.Millisecond},
		{"text", "/tree/5", http.StatusOK, "no such text", time.Minute},
		{"login", "/me", http.StatusUnauthorized, "", time.Minute},
		{"bad", "/%zz", http.StatusOK, "", time.Second},
	}
	jobs := make(chan Check)
	results := make(chan Result, len(checks))
	var wg sync.WaitGroup
	for range *workers {
		wg.Go(func() {
			for c := range jobs {
				results <- run(context.Background(), base, c)
			}
		})
	}
	for _, c := range checks {
		jobs <- c
	}
	close(jobs)
	wg.Wait()
	close(results)
	var all []Result
	for r := range results {
		all = append(all, r)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	failed := 0
	for _, r := range all {
		if !r.OK {
			failed++
		}
		if r.Took <= 0 {
			fmt.Println("no time for", r.Name)
		}
	}
	if *format == "json" {
		enc := json.NewEncoder(os.Stdout)
		for _, r := range all {
			enc.Encode(r)
		}
	}
	fmt.Printf("%d of %d failed\n", failed, len(all))
}
