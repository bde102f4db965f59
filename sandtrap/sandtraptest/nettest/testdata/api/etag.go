package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
)

type entry struct {
	etag string
	body []byte
}

// Cache keeps responses with their ETag.
type Cache struct {
	mu           sync.RWMutex
	entries      map[string]entry
	hits, misses int
}

func (c *Cache) Get(url string) ([]byte, error) {
	c.mu.RLock()
	old, ok := c.entries[url]
	c.mu.RUnlock()
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	if ok {
		req.Header.Set("If-None-Match", old.etag)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusNotModified:
		c.hits++
		rest, err := io.ReadAll(resp.Body)
		if len(rest) > 0 || err != nil || resp.ContentLength > 0 {
			return nil, fmt.Errorf("a body of %d bytes, %v", len(rest), err)
		}
		return old.body, nil
	case http.StatusOK:
		c.misses++
	default:
		return nil, fmt.Errorf("%s", resp.Status)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if tag := resp.Header.Get("Etag"); tag != "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.entries[url] = entry{tag, body}
	}
	return body, nil
}

var errConflict = errors.New("conflict")

func update(url, etag string, change map[string]any) (string, error) {
	b, err := json.MarshalIndent(change, "", "  ")
	if err != nil {
		return "", err
	}
	req, err := http.NewRequest(http.MethodPatch, url, strings.NewReader(string(b)))
	if err != nil {
		return "", err
	}
	req.Header = http.Header{"If-Match": {etag}, "Content-Type": []string{"application/merge-patch+json"}}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusPreconditionFailed {
		msg, _ := io.ReadAll(resp.Body)
		return "", fmt.Errorf("%w: %s", errConflict, strings.TrimSpace(string(msg)))
	}
	return resp.Header.Get("ETag"), nil
}

func main() {
	base := os.Args[1]
	resp, err := http.Post(base+"/items", "application/json", strings.NewReader(`{"name": "lamp", "price": 1e2}`))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	resp.Body.Close()
	where, err := resp.Location()
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	first := resp.Header.Get("ETag")
	fmt.Println(first, strings.HasSuffix(where.Path, "/items/1"))
	cache := &Cache{entries: map[string]entry{}}
	for range 3 {
		b, err := cache.Get(where.String())
		fmt.Printf("%s%v\n", b, err)
	}
	second, err := update(where.String(), first, map[string]any{"price": 80, "tags": []string{"sale"}})
	fmt.Println(second, err)
	_, err = update(where.String(), first, map[string]any{"price": 70})
	fmt.Println(err, errors.Is(err, errConflict))
	b, err := cache.Get(where.String())
	fmt.Printf("%s%v\n", b, err)
	fmt.Println(cache.hits, cache.misses)

	content := "some text\n"
	put, _ := http.NewRequest(http.MethodPut, base+"/blobs/a.txt", strings.NewReader(content))
	resp, err = http.DefaultClient.Do(put)
	if err != nil {
		fmt.Println(err)
		return
	}
	resp.Body.Close()
	get, _ := http.NewRequest(http.MethodGet, base+"/blobs/a.txt", nil)
	for _, since := range []string{"Mon, 06 May 2024 07:08:09 GMT", "Sun, 05 May 2024 07:08:09 GMT"} {
		when, err := http.ParseTime(since)
		if err != nil {
			fmt.Println(err)
			continue
		}
		get.Header.Set("If-Modified-Since", when.UTC().Format(http.TimeFormat))
		resp, err := http.DefaultClient.Do(get)
		if err != nil {
			fmt.Println(err)
			continue
		}
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Printf("%d %q %s\n", resp.StatusCode, b, resp.Header.Get("Content-Type"))
	}
}
