/*
GET /fan
---
GET /mutex
---
GET /once
*/
package main

import (
	"fmt"
	"net/http"
	"sort"
	"strings"
	"sync"
	"time"
)

var (
	mu   sync.Mutex
	hits int
	once sync.Once
)

func Handler(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/fan":
		results := make(chan string)
		for i := range 5 {
			go func() {
				time.Sleep(time.Duration(5-i) * time.Millisecond)
				results <- fmt.Sprint("r", i)
			}()
		}
		var all []string
		for range 5 {
			all = append(all, <-results)
		}
		sort.Strings(all)
		fmt.Fprint(w, strings.Join(all, ","))
	case "/mutex":
		var wg sync.WaitGroup
		for range 10 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				mu.Lock()
				defer mu.Unlock()
				hits++
			}()
		}
		wg.Wait()
		fmt.Fprint(w, hits)
	case "/once":
		once.Do(func() { fmt.Fprint(w, "first ") })
		once.Do(func() { fmt.Fprint(w, "second ") })
	}
}

func main() {}
