package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Limiter is a token bucket.
type Limiter struct {
	mu     sync.Mutex
	tokens float64
	burst  float64
	rate   float64
	last   time.Time
}

func NewLimiter(rate float64, burst int) *Limiter {
	return &Limiter{tokens: float64(burst), burst: float64(burst), rate: rate, last: time.Now()}
}

func (l *Limiter) reserve() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.tokens = min(l.burst, l.tokens+now.Sub(l.last).Seconds()*l.rate)
	l.last = now
	l.tokens--
	if l.tokens >= 0 {
		return 0
	}
	return time.Duration(-l.tokens / l.rate * float64(time.Second))
}

func (l *Limiter) Wait(ctx context.Context) error {
	d := l.reserve()
	if d == 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

type result struct {
	index  int
	status int
	body   string
	err    error
}

type Fetcher struct {
	*http.Client
	limiter *Limiter
}

func (f *Fetcher) Fetch(ctx context.Context, jobs <-chan int, base string, workers int) <-chan result {
	out := make(chan result)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Add(1)
		go func(worker int) {
			defer wg.Done()
			for i := range jobs {
				if err := f.limiter.Wait(ctx); err != nil {
					out <- result{index: i, err: err}
					continue
				}
				resp, err := f.Get(fmt.Sprintf("%s/tree/%d", base, i))
				if err != nil {
					out <- result{index: i, err: err}
					continue
				}
				var sb strings.Builder
				_, err = io.Copy(&sb, resp.Body)
				resp.Body.Close()
				out <- result{i, resp.StatusCode, strings.TrimSpace(sb.String()), err}
			}
		}(w)
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

func main() {
	base := os.Args[1]
	f := &Fetcher{Client: &http.Client{}, limiter: NewLimiter(200, 5)}
	jobs := make(chan int)
	go func() {
		defer close(jobs)
		for i := range 20 {
			jobs <- i
		}
	}()
	began := time.Now()
	results := make([]result, 20)
	for r := range f.Fetch(context.Background(), jobs, base, 4) {
		results[r.index] = r
	}
	fmt.Println(time.Since(began) >= 70*time.Millisecond)
	counts := map[int]int{}
	for _, r := range results {
		counts[r.status]++
		if r.status != http.StatusOK {
			fmt.Println(r.index, http.StatusText(r.status), r.body, r.err)
		}
	}
	fmt.Println(counts, results[3].body)

	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	slow := NewLimiter(0.01, 1)
	fmt.Println(slow.Wait(ctx), slow.Wait(ctx))

	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	n := 0
	for range ticker.C {
		resp, err := http.Get(base + "/flaky/2")
		if err != nil {
			fmt.Println(err)
			return
		}
		resp.Body.Close()
		n++
		if resp.StatusCode == http.StatusOK {
			break
		}
	}
	fmt.Println(n, "polls")
}
