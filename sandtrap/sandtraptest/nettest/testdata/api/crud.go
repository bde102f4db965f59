package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// APIError is returned for responses with a status of 400 and above.
type APIError struct {
	StatusCode int
	Message    string
	Fields     []FieldError
}

type FieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

func (e *APIError) Error() string {
	if len(e.Fields) > 0 {
		var parts []string
		for _, f := range e.Fields {
			parts = append(parts, f.Field+" "+f.Message)
		}
		return fmt.Sprintf("api: %d %s: %s", e.StatusCode, http.StatusText(e.StatusCode), strings.Join(parts, "; "))
	}
	return fmt.Sprintf("api: %d %s: %s", e.StatusCode, http.StatusText(e.StatusCode), e.Message)
}

type Item struct {
	ID      int      `json:"id,omitempty"`
	Name    string   `json:"name"`
	Price   float64  `json:"price"`
	Tags    []string `json:"tags,omitempty"`
	Version int      `json:"version,omitempty"`
}

type Client struct {
	base *url.URL
	http *http.Client
	log  *log.Logger
}

func NewClient(base string) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("parse base url: %w", err)
	}
	return &Client{base: u, http: &http.Client{Timeout: time.Minute}, log: log.New(os.Stdout, "[client] ", 0)}, nil
}

func (c *Client) do(ctx context.Context, method, path string, in, out any) (*http.Response, error) {
	var body io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base.JoinPath(path).String(), body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	c.log.Printf("%s %s -> %s", method, path, resp.Status)
	if resp.StatusCode >= 400 {
		var payload struct {
			Error  struct{ Message string }
			Errors []FieldError
		}
		if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&payload); err != nil {
			payload.Error.Message = err.Error()
		}
		return resp, &APIError{resp.StatusCode, payload.Error.Message, payload.Errors}
	}
	if out != nil && resp.StatusCode != http.StatusNoContent {
		if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
			return resp, fmt.Errorf("decode response: %w", err)
		}
	}
	return resp, nil
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := NewClient(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for i, name := range []string{"hammer", "saw", ""} {
		var created Item
		resp, err := c.do(ctx, http.MethodPost, "/items", Item{Name: name, Price: 9.99 + float64(i), Tags: []string{"tools"}}, &created)
		var apiErr *APIError
		if errors.As(err, &apiErr) {
			fmt.Println("failed:", apiErr, apiErr.StatusCode == http.StatusUnprocessableEntity)
			continue
		} else if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%+v %s\n", created, resp.Header.Get("ETag"))
	}
	var it Item
	if _, err := c.do(ctx, http.MethodPatch, "/items/1", map[string]any{"price": 5, "tags": []string{"sale", "tools"}}, &it); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", it)
	if _, err := c.do(ctx, http.MethodDelete, "/items/1", nil, nil); err != nil {
		log.Fatal(err)
	}
	_, err = c.do(ctx, http.MethodGet, "/items/1", nil, &it)
	fmt.Println(err)
	_, err = c.do(ctx, http.MethodGet, "/items/abc", nil, &it)
	fmt.Println(err)
	_, err = c.do(ctx, http.MethodPut, "/items/2", it, nil)
	fmt.Println(err)
	var list []Item
	if _, err := c.do(ctx, http.MethodGet, "/items", nil, &list); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(list), list)
}
