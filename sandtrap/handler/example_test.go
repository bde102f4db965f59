package handler_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/handler"
)

// A script has an API, which the host serves with a server of its own.
func Example() {
	const script = `
package main

import (
	"encoding/json"
	"net/http"
)

func Handler() http.Handler {
	visits := map[string]int{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /visits/{name}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("name")
		visits[name]++
		json.NewEncoder(w).Encode(map[string]int{name: visits[name]})
	})
	return mux
}

func main() {}
`
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: append(sandtrap.StdDefault(), "net/http")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer box.Close()
	session, err := box.Session()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	if _, err := session.Run(ctx, sandtrap.Script{Text: script}); err != nil {
		fmt.Println(err)
		return
	}
	h, err := handler.New(ctx, session, "Handler", handler.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	server := httptest.NewServer(h)
	defer server.Close()
	for _, path := range []string{"/visits/ann", "/visits/ann", "/"} {
		resp, err := http.Post(server.URL+path, "", nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Print(resp.StatusCode, " ", string(body))
	}

	// Or without a server, with a recorded request.
	resp, err := h.Call(ctx, handler.Request{Method: "POST", URI: "/visits/bob"})
	fmt.Print(resp.Status, " ", string(resp.Body), err)

	// Output:
	// 200 {"ann":1}
	// 200 {"ann":2}
	// 404 404 page not found
	// 200 {"bob":1}
	// <nil>
}
