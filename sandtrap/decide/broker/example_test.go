//go:build linux

package broker_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide/broker"
)

// Office is a policy engine: it lets nobody send mail, and asks about the rest.
type Office struct{}

func (Office) Decide(_ context.Context, c decide.Call) (decide.Ruling, error) {
	if c.Member == "mail.Send" {
		return decide.Ruling{Reason: "the office is closed"}, nil
	}
	return decide.Ruling{Allow: true, Ask: true}, nil
}

// Two processes are shown as one: Serve is called by the broker, Dial by the host, which gives the client to its guard.
func Example() {
	dir, err := os.MkdirTemp("", "broker")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "socket")

	listener, err := net.Listen("unix", path)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error)
	go func() { ended <- broker.Serve(ctx, listener, Office{}, nil) }()

	client, err := broker.Dial(path, broker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	fmt.Println(client.Decide(ctx, decide.Call{Member: "mail.Send", Args: []byte(`{"to":"bob@example.com"}`)}))

	stop()
	fmt.Println(<-ended)
	_, err = client.Decide(context.Background(), decide.Call{Member: "read", Args: []byte(`{}`)})
	fmt.Println(err != nil) // the broker is gone: denied

	// Output:
	// {false false the office is closed} <nil>
	// <nil>
	// true
}
