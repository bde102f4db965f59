package upstream

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxTail bounds what is kept of what a program prints to stderr, in bytes.
const maxTail = 2 << 10

// start starts the program of a server. It ends with the connection, and so do processes of its group.
func (s *Server) start(c *conn) (mcp.Transport, error) {
	cmd := exec.Command(s.c.Command, s.c.Args...)
	cmd.Env = []string{}
	for _, v := range s.c.Env {
		cmd.Env = append(cmd.Env, v.Name+"="+v.Text)
	}
	var last tail
	cmd.Stderr, cmd.WaitDelay = &last, grace
	group(cmd)
	in, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stdout, out, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close(), stdin.Close())
	}
	cmd.Stdin, cmd.Stdout = in, out
	err = errors.Join(cmd.Start(), in.Close(), out.Close())
	if err != nil {
		return nil, errors.Join(err, stdin.Close(), stdout.Close())
	}
	exited := make(chan struct{})
	var stopped atomic.Bool
	s.running.Add(1)
	go func() {
		defer s.running.Done()
		err := cmd.Wait()
		close(exited)
		if stopped.Load() && err == nil { // it was told to
			return
		}
		s.o.Log.Info("an upstream server has ended", "server", s.c.Name, "error", err, "stderr", s.said(last.String()))
	}()
	c.stop = sync.OnceFunc(func() {
		stopped.Store(true)
		_ = stdin.Close() // it is to end by itself
		select {
		case <-exited:
		case <-time.After(grace):
		}
		kill(cmd)
		_ = stdout.Close()
	})
	lines := &mcp.IOTransport{Reader: stdout, Writer: stdin, MaxLineLength: int(s.c.messageLimit())}
	return &counted{lines, c}, nil
}

// A tail is the last bytes of what was written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-maxTail):]...)
	t.text = append([]byte(nil), t.text[max(0, len(t.text)-maxTail):]...)
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}

// A counted transport notes when messages come, and drops those that nobody asked for, but for requests, before they wait for their turn.
type counted struct {
	mcp.Transport
	conn *conn
}

func (t *counted) Connect(ctx context.Context) (mcp.Connection, error) {
	inner, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &countedConn{inner, t.conn}, nil
}

type countedConn struct {
	mcp.Connection
	conn *conn
}

func (c *countedConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		if err != nil {
			if strings.Contains(err.Error(), "maximum line length") {
				c.conn.end(ErrLarge)
			}
			return nil, err
		}
		c.conn.heard.Store(time.Now().UnixNano())
		q, asked := m.(*jsonrpc.Request)
		if !asked {
			return m, nil
		}
		if err := c.conn.notice(q.Method); err != nil {
			return nil, err
		}
		if q.IsCall() {
			return m, nil
		}
	}
}
