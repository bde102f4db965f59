/*
GET /value
---
GET /timeout
---
GET /cancel
---
GET /done
*/
package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

func Handler(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	switch r.URL.Path {
	case "/value":
		type k struct{}
		r = r.WithContext(context.WithValue(ctx, k{}, 1))
		fmt.Fprint(w, r.Context().Value(k{}), ctx.Err())
	case "/timeout":
		ctx, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
		defer cancel()
		select {
		case <-ctx.Done():
			http.Error(w, ctx.Err().Error(), http.StatusGatewayTimeout)
		case <-time.After(time.Minute):
			fmt.Fprint(w, "late")
		}
	case "/cancel":
		ctx, cancel := context.WithCancelCause(ctx)
		cancel(fmt.Errorf("a reason"))
		fmt.Fprint(w, ctx.Err(), context.Cause(ctx))
	case "/done":
		select {
		case <-ctx.Done():
			fmt.Fprint(w, "done")
		default:
			fmt.Fprint(w, "goes on")
		}
	}
}

func main() {}
