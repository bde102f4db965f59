package nettest

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// gets makes requests one after the other, and prints how many nanoseconds each takes; many makes them by 64 goroutines.
const gets = `
import ("fmt"; "io"; "net/http"; "os"; "time")

func main() {
	for range 500 {
		began := time.Now()
		resp, err := http.Get(os.Args[1] + "/text")
		if err != nil { panic(err) }
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		fmt.Println(time.Since(began).Nanoseconds())
	}
}
`

const many = `
import ("io"; "net/http"; "os"; "sync")

func main() {
	var all sync.WaitGroup
	for range 25 {
		all.Go(func() {
			for range 100 {
				resp, err := http.Get(os.Args[1] + "/text")
				if err != nil { panic(err) }
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	all.Wait()
}
`

// wide is a gate without limits of numbers.
func wide(b *testing.B, s *server) *egress.Gate {
	rule, err := egress.ParseRule("GET " + s.URL + "/** loopback")
	if err != nil {
		b.Fatal(err)
	}
	p := egress.Policy{Rules: []egress.Rule{rule}}
	p.Limits.Run = egress.Quota{Requests: 1 << 40, AtOnce: 200, Sent: 1 << 40, Received: 1 << 40}
	p.Limits.Tenant = p.Limits.Run
	g, err := egress.New(p, egress.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { g.Close() })
	return g
}

// BenchmarkGet is a GET on loopback with a connection that is kept: by net/http alone, and by scripts. p50-ns is the median of the
// requests, of the run with the least.
func BenchmarkGet(b *testing.B) {
	s := newServer(b)
	b.Run("direct", func(b *testing.B) {
		b.ReportAllocs()
		least := time.Hour
		for b.Loop() {
			var times []time.Duration
			for range 500 {
				began := time.Now()
				discard(b, s.URL+"/text")
				times = append(times, time.Since(began))
			}
			slices.Sort(times)
			least = min(least, times[len(times)/2])
		}
		b.ReportMetric(float64(least), "p50-ns")
	})
	for _, mode := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process, sandtrap.Kernel} {
		b.Run(string(mode), func(b *testing.B) {
			box := scriptsOf(b, s, mode)
			b.ReportAllocs()
			least := time.Hour
			for b.Loop() {
				res, err := box.Run(b.Context(), sandtrap.Script{Text: "package main\n" + gets, Args: []string{"x", s.URL}})
				if err != nil {
					b.Fatal(err)
				}
				var times []int
				for _, line := range strings.Fields(res.Stdout) {
					n, _ := strconv.Atoi(line)
					times = append(times, n)
				}
				slices.Sort(times)
				least = min(least, time.Duration(times[len(times)/2]))
			}
			b.ReportMetric(float64(least), "p50-ns")
		})
	}
}

// BenchmarkGets is 2,500 requests by 25 goroutines.
func BenchmarkGets(b *testing.B) {
	s := newServer(b)
	rate := func(b *testing.B, all func()) {
		b.ReportAllocs()
		best := 0.0
		for b.Loop() {
			began := time.Now()
			all()
			best = max(best, 2500/time.Since(began).Seconds())
		}
		b.ReportMetric(best, "requests/s")
	}
	b.Run("direct", func(b *testing.B) {
		http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = 25
		rate(b, func() {
			var all sync.WaitGroup
			for range 25 {
				all.Go(func() {
					for range 100 {
						discard(b, s.URL+"/text")
					}
				})
			}
			all.Wait()
		})
	})
	for _, mode := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process, sandtrap.Kernel} {
		b.Run(string(mode), func(b *testing.B) {
			box := scriptsOf(b, s, mode)
			rate(b, func() {
				if _, err := box.Run(b.Context(), sandtrap.Script{Text: "package main\n" + many, Args: []string{"x", s.URL}}); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

func scriptsOf(b *testing.B, s *server, mode sandtrap.Isolation) *sandtrap.Sandbox {
	p := rig.Pure()
	p.Isolation, p.Limits.Timeout = mode, time.Minute
	if box, err := sandtrap.New(b.Context(), p); err != nil {
		b.Skip(fmt.Sprint("no isolation: ", err))
	} else {
		box.Close()
	}
	return mustBox(b, p, wide(b, s))
}

func discard(b *testing.B, url string) {
	resp, err := http.Get(url)
	if err != nil {
		b.Error(err)
		return
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}
