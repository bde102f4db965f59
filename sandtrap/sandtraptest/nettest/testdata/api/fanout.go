package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

// Group is a small errgroup.
type Group struct {
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup
	sem    chan struct{}
	once   sync.Once
	err    error
}

func WithContext(ctx context.Context, limit int) (*Group, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	return &Group{cancel: cancel, sem: make(chan struct{}, limit)}, ctx
}

func (g *Group) Go(f func() error) {
	g.sem <- struct{}{}
	g.wg.Add(1)
	go func() {
		defer func() {
			<-g.sem
			g.wg.Done()
		}()
		if err := f(); err != nil {
			g.once.Do(func() {
				g.err = err
				g.cancel(err)
			})
		}
	}()
}

func (g *Group) Wait() error {
	g.wg.Wait()
	g.cancel(g.err)
	return g.err
}

type Node struct {
	Node     int   `json:"node"`
	Children []int `json:"children"`
}

func get(ctx context.Context, url string) (*Node, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		return nil, fmt.Errorf("node: %s", resp.Status)
	}
	n := new(Node)
	return n, json.NewDecoder(resp.Body).Decode(n)
}

// crawl walks the tree level by level, with a bounded number of requests at a time.
func crawl(ctx context.Context, base string, skip map[int]bool) (map[int][]int, error) {
	var mu sync.Mutex
	found := map[int][]int{}
	for level := []int{0}; len(level) > 0; {
		var next []int
		g, gctx := WithContext(ctx, 4)
		for _, id := range level {
			if skip[id] {
				continue
			}
			g.Go(func() error {
				n, err := get(gctx, fmt.Sprintf("%s/tree/%d", base, id))
				if err != nil {
					return fmt.Errorf("crawl %d: %w", id, err)
				}
				mu.Lock()
				defer mu.Unlock()
				found[n.Node] = n.Children
				next = append(next, n.Children...)
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return found, err
		}
		sort.Ints(next)
		level = next
	}
	return found, nil
}

func main() {
	base := os.Args[1]
	_, err := crawl(context.Background(), base, nil)
	fmt.Println("error:", err)
	found, err := crawl(context.Background(), base, map[int]bool{13: true})
	fmt.Println(len(found), err)
	var ids []int
	for id := range found {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	for _, id := range ids {
		fmt.Print(id, found[id], " ")
	}
	fmt.Println()

	var active, most atomic.Int32
	g, ctx := WithContext(context.Background(), 3)
	for range 9 {
		g.Go(func() error {
			most.Store(max(most.Load(), active.Add(1)))
			defer active.Add(-1)
			_, err := get(ctx, base+"/slow/20")
			if err == nil || ctx.Err() != nil {
				return errors.New("unexpected")
			}
			return nil
		})
	}
	fmt.Println(g.Wait(), most.Load() <= 3)

	g, ctx = WithContext(context.Background(), 5)
	began := time.Now()
	for i := range 5 {
		g.Go(func() error {
			if i == 2 {
				time.Sleep(20 * time.Millisecond)
				return errors.New("one failed")
			}
			_, err := get(ctx, base+"/slow/60000")
			return err
		})
	}
	fmt.Println(g.Wait(), time.Since(began) < 50*time.Second, context.Cause(ctx))
}
