package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

type gqlRequest struct {
	Query     string         `json:"query"`
	Variables map[string]any `json:"variables,omitempty"`
}

type gqlError struct {
	Message string `json:"message"`
	Path    []any  `json:"path"`
}

type gqlErrors []gqlError

func (e gqlErrors) Error() string {
	msgs := make([]string, len(e))
	for i, x := range e {
		var path []string
		for _, p := range x.Path {
			switch p := p.(type) {
			case string:
				path = append(path, p)
			case float64:
				path = append(path, fmt.Sprintf("[%d]", int(p)))
			}
		}
		msgs[i] = fmt.Sprintf("%s (at %s)", x.Message, strings.Join(path, "."))
	}
	return strings.Join(msgs, "; ")
}

type Option func(*http.Request)

func WithHeader(k, v string) Option { return func(r *http.Request) { r.Header.Set(k, v) } }

func Query[T any](ctx context.Context, url, query string, vars map[string]any, opts ...Option) (*T, error) {
	var buf bytes.Buffer
	if err := json.NewEncoder(&buf).Encode(gqlRequest{query, vars}); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, &buf)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	for _, opt := range opts {
		opt(req)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out struct {
		Data   *T        `json:"data"`
		Errors gqlErrors `json:"errors"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return nil, fmt.Errorf("decode (%s): %w", resp.Status, err)
	}
	if len(out.Errors) > 0 {
		return out.Data, out.Errors
	}
	return out.Data, nil
}

type userData struct {
	User struct {
		ID    json.Number `json:"id"`
		Name  string
		Repos []struct {
			Name  string
			Stars int
		}
	}
}

func main() {
	ctx := context.Background()
	url := os.Args[1] + "/graphql"
	data, err := Query[userData](ctx, url, `query ($id: ID!) { user(id: $id) { id name repos { name stars } } }`, map[string]any{"id": 42},
		WithHeader("Authorization", "Bearer x"), WithHeader("X-Request-ID", "1"))
	if err != nil {
		fmt.Println("error:", err)
	} else {
		fmt.Printf("%+v %s\n", data.User, data.User.ID)
	}
	none, err := Query[userData](ctx, url, `{ users { x } }`, nil)
	var ge gqlErrors
	fmt.Println(none == nil, err)
	if e, ok := err.(gqlErrors); ok {
		ge = e
	}
	fmt.Println(len(ge), ge[0].Path)
	raw, err := Query[map[string]json.RawMessage](ctx, url, `{ user(id: 1) { id } }`, nil)
	fmt.Println(string((*raw)["user"]), err)
	_, err = Query[userData](ctx, os.Args[1]+"/lines", `{}`, nil)
	fmt.Println(err)
	_, err = Query[userData](ctx, url, "", map[string]any{"f": func() {}})
	fmt.Println(err)
}
