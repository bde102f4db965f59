package cluster

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
)

// A connection whose other end has been silent for so many pings is given up, on both sides: within noneFor, so that jobs that are sent into it
// find another worker in time.
const (
	pingEach = 2 * time.Second
	maxPings = 3
)

// Connect connects to servers of NATS by a URL, and again for as long as it takes when they are gone. With a key it does so as a user of this name;
// else as the URL says, or credentials in it.
func Connect(url, name, key string, log *slog.Logger) (*nats.Conn, error) {
	o := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(100 * time.Millisecond), nats.Timeout(5 * time.Second),
		nats.PingInterval(pingEach), nats.MaxPingsOutstanding(maxPings),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { log.Warn("the cluster is gone", "error", err) }),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("the cluster is there again") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Error("cluster", "error", err) }),
	}
	if key != "" {
		o = append(o, nats.UserInfo(name, key))
	}
	conn, err := nats.Connect(url, o...)
	if err != nil {
		return nil, fmt.Errorf("the cluster: %w", err)
	}
	return conn, nil
}
