package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
)

type Item struct {
	ID   int
	Name string
	Tags []string
}

var linkRE = regexp.MustCompile(`<([^>]+)>;\s*rel="([^"]+)"`)

func parseLinks(h http.Header) map[string]string {
	links := make(map[string]string)
	for _, v := range h.Values("Link") {
		for _, part := range strings.Split(v, ",") {
			if m := linkRE.FindStringSubmatch(part); m != nil {
				links[m[2]] = m[1]
			}
		}
	}
	return links
}

func fetch[T any](ctx context.Context, client *http.Client, addr string) (T, http.Header, error) {
	var out T
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, addr, http.NoBody)
	if err != nil {
		return out, nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return out, nil, fmt.Errorf("get %s: %w", addr, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return out, nil, fmt.Errorf("unexpected status %s", resp.Status)
	}
	dec := json.NewDecoder(resp.Body)
	dec.DisallowUnknownFields()
	err = json.NewDecoder(resp.Body).Decode(&out)
	return out, resp.Header, err
}

// All yields the items of all pages.
func All(ctx context.Context, client *http.Client, first string) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for next := first; next != ""; {
			page, header, err := fetch[[]Item](ctx, client, next)
			if err != nil {
				yield(Item{}, err)
				return
			}
			fmt.Println("page with", len(page), "of", header.Get("X-Total-Count"))
			for _, it := range page {
				if !yield(it, nil) {
					return
				}
			}
			next = parseLinks(header)["next"]
		}
	}
}

func main() {
	base := os.Args[1]
	client := http.DefaultClient
	for i := range 11 {
		tag := "even"
		if i%2 == 1 {
			tag = "odd"
		}
		resp, err := client.Post(base+"/items", "application/json", strings.NewReader(`{"name":"item `+strconv.Itoa(i)+`","tags":["`+tag+`"]}`))
		if err != nil {
			fmt.Println(err)
			return
		}
		resp.Body.Close()
	}
	for it, err := range All(context.Background(), client, base+"/items?per_page=4") {
		if err != nil {
			fmt.Println("error:", err)
			break
		}
		fmt.Println(it.ID, it.Name, it.Tags)
	}
	q := url.Values{}
	q.Set("tag", "odd")
	q.Add("per_page", "3")
	seen := 0
	for it, err := range All(context.Background(), client, base+"/items?"+q.Encode()) {
		if err != nil {
			fmt.Println("error:", err)
		}
		if seen++; seen == 4 {
			fmt.Println("enough at", it.Name)
			break
		}
	}
	for _, err := range All(context.Background(), client, base+"/nothing") {
		fmt.Println("error:", err)
	}
}
