package cluster

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// Check is an error if a server does not start with the options. It starts none.
func (o *ServerOptions) Check() error {
	_, err := o.options()
	return err
}

// Rights is an error if a connection may not do what a front does.
func Rights(conn *nats.Conn) error {
	var mu sync.Mutex
	var refused []string
	before := conn.ErrorHandler()
	defer conn.SetErrorHandler(before)
	conn.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		mu.Lock()
		defer mu.Unlock()
		refused = append(refused, err.Error())
	})
	for _, subject := range []string{anyHere, back + "*.doctor.*", "sandtrap.1.server.*", "sandtrap.1.lease.doctor"} {
		sub, err := conn.SubscribeSync(subject)
		if err != nil {
			return err
		}
		defer sub.Unsubscribe()
	}
	for _, subject := range []string{ends + nobody, gives + nobody, owns + nobody, jobs + "doctor.none", "sandtrap.1.stop.doctor"} { // that nobody hears
		if err := conn.Publish(subject, nil); err != nil {
			return err
		}
	}
	for range 2 { // errors come before the answer
		if err := conn.FlushTimeout(readyWithin); err != nil {
			return err
		}
	}
	time.Sleep(50 * time.Millisecond) // until the handler has them
	mu.Lock()
	defer mu.Unlock()
	if len(refused) > 0 {
		return errors.New("the key may not do all that a server does: " + strings.Join(refused, "; "))
	}
	return nil
}

// Describe says how the cluster is reached.
func Describe(conn *nats.Conn) string {
	secure := "without TLS"
	if _, err := conn.TLSConnectionState(); err == nil {
		secure = "with TLS"
	}
	return fmt.Sprintf("%s, NATS %s, %s, messages of %d KiB", conn.ConnectedUrlRedacted(), conn.ConnectedServerVersion(), secure, conn.MaxPayload()>>10)
}

// Workers says which workers there are for a server with an isolation, heard for some time.
func Workers(conn *nats.Conn, level string, listen time.Duration) (string, error) {
	f, err := NewFront(conn, level, func(string) int { return 1 }, slog.New(slog.DiscardHandler))
	if err != nil {
		return "", err
	}
	defer f.Close()
	time.Sleep(listen)
	fit, slots, unfit := 0, 0, ""
	list := f.Workers().List
	for _, one := range list {
		if one.Unfit == "" {
			fit++
			slots += one.Slots
		} else {
			unfit = fmt.Sprintf("of the others, %s: %s", one.Name, one.Unfit)
		}
	}
	if len(list) == 0 {
		return "none is there yet: until one is, runs that workers do fail", nil
	}
	text := fmt.Sprintf("%d of %d get runs, with %d slots", fit, len(list), slots)
	if unfit != "" {
		text += "; " + unfit
	}
	if fit == 0 {
		return "", errors.New(text)
	}
	return text, nil
}
