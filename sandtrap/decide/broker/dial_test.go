//go:build linux

package broker

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// TestSlowDial: a call waits for another connection no longer than its own context lets it, whoever began to make that, and calls that
// wait longer get the connection.
func TestSlowDial(t *testing.T) {
	path := filepath.Join(t.TempDir(), "broker")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := Dial(path, Options{Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	dials, goOn := make(chan bool, 10), make(chan bool)
	connect := c.dial
	c.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		dials <- true
		<-goOn // a path on a file system that does not answer is not given up with its context
		return connect(ctx, network, address)
	}
	c.conn.fail(errors.New("lost"))

	patient := make(chan error, 2)
	for range cap(patient) {
		go func() {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			_, err := c.connection(ctx)
			patient <- err
		}()
	}
	<-dials
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	impatient := make(chan error, 1)
	go func() {
		_, err := c.Ask(ctx, []decide.Request{{ID: 1}})
		impatient <- err
	}()
	select {
	case err := <-impatient:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it waits on")
	}
	close(goOn)
	for range cap(patient) {
		if err := <-patient; err != nil {
			t.Error(err)
		}
	}
	if n := len(dials); n > 0 {
		t.Errorf("%d more connections were made", n)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestCloseDialing: a client that is closed while it makes a connection has none, and leaves no goroutine.
func TestCloseDialing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "broker")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := Dial(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	connect, dials := c.dial, make(chan bool, 1)
	c.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		dials <- true
		<-ctx.Done() // of Close
		return connect(context.Background(), network, address)
	}
	c.conn.fail(errors.New("lost"))
	failed := make(chan error, 1)
	go func() {
		_, err := c.connection(t.Context())
		failed <- err
	}()
	<-dials
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := <-failed; !errors.Is(err, errClosed) {
		t.Error(err)
	}
}
