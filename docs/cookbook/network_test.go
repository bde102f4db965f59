package cookbook

import (
	"context"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// Example_secret: Call an API with a key that the script never has. The script has the name of the key. The host adds the value to
// requests that it is for, and removes it from responses; the guard decides about each request and records it. Here a server of this
// program stands for the API: without it there are no Roots and no loopback, and the host is a name.
func Example_secret() {
	ctx := context.Background()
	api := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer the-key-of-the-host" {
			http.Error(w, "no key", http.StatusUnauthorized)
			return
		}
		fmt.Fprintf(w, "you sent %s", r.Header.Get("Authorization"))
	}))
	defer api.Close()
	roots := x509.NewCertPool()
	roots.AddCert(api.Certificate())

	rule, err := egress.ParseRule("GET " + api.URL + "/v1/** loopback")
	if err != nil {
		panic(err)
	}
	gate, err := egress.New(egress.Policy{
		Rules: []egress.Rule{rule},
		Secrets: []egress.Secret{{
			Name: "shop", Value: egress.NewValue("the-key-of-the-host"), // os.Getenv("SHOP_KEY")
			Hosts: []string{api.Listener.Addr().String()}, Paths: []string{"/v1/orders"}, Scheme: "Bearer", OnRequest: true,
		}},
	}, egress.Options{Roots: roots})
	if err != nil {
		panic(err)
	}
	defer gate.Close()
	box, err := sandtrap.New(ctx, sandtrap.Policy{
		Std: []string{"fmt", "io", "os"}, Network: gate,
		Guard: &guard.Policy{Rates: map[string]int{"net/http.Request": 60}, Record: record.Func(func(e record.Event) error {
			if e.Kind == record.KindReturn {
				fmt.Println("record:", e.Member, e.Status, e.Reason)
			}
			return nil
		})},
	})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	res, err := box.Run(ctx, sandtrap.Script{Args: []string{"script", api.URL}, Text: `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"secrets"
)

func main() {
	key, err := secrets.Get("shop")
	if err != nil {
		panic(err)
	}
	for _, path := range []string{"/v1/orders", "/v1/users"} {
		req, err := http.NewRequest("GET", os.Args[1]+path, nil)
		if err != nil {
			panic(err)
		}
		key.Set(req)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			fmt.Println("refused:", path)
			continue
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Println(key, resp.StatusCode, string(body), err)
	}
}
`})
	fmt.Print(res.Stdout, err)
	// Output:
	// record: net/http.Request 200 the response had a secret, which was replaced: shop
	// secret shop 200 you sent Bearer [redacted] <nil>
	// refused: /v1/users
	// <nil>
}
