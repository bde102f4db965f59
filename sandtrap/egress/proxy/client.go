package proxy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/peercred"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A client is a connection, which has one request.
type client struct {
	server *Server
	conn   *net.UnixConn
	peer   peercred.Peer

	ctx    context.Context // of the request
	cancel context.CancelCauseFunc
	idle   *time.Timer // cancels ctx
}

// serve serves one request.
func (k *client) serve() {
	k.conn.SetDeadline(time.Now().Add(k.server.options.Head))
	req, r, err := readRequest(k.conn)
	if err != nil {
		if _, failed := errors.AsType[net.Error](err); !failed && err != io.EOF {
			k.answer(http.StatusBadRequest, err.Error())
		}
		return
	}
	grant := k.server.grantOf(req.Header, k.peer.PID)
	if grant == nil {
		k.answer(http.StatusProxyAuthRequired, "the proxy needs the token of a run that goes on, for this process")
		return
	}
	k.conn.SetDeadline(time.Time{})
	k.ctx, k.cancel = context.WithCancelCause(grant.ctx)
	defer k.cancel(nil)
	defer context.AfterFunc(k.ctx, func() { k.conn.SetDeadline(time.Unix(1, 0)) })() // what waits for the client ends
	k.idle = time.AfterFunc(k.server.options.Idle, func() { k.cancel(fmt.Errorf("proxy: no byte came for %v", k.server.options.Idle)) })
	defer k.idle.Stop()
	if req.Method == http.MethodConnect {
		k.tunnel(grant, req, r)
	} else {
		k.forward(grant, req)
	}
}

// tunnel connects a client with the server that it names.
func (k *client) tunnel(grant *Grant, req *http.Request, r *bufio.Reader) {
	if req.ContentLength != 0 || len(req.TransferEncoding) > 0 {
		k.answer(http.StatusBadRequest, "a CONNECT has no body")
		return
	}
	t, err := grant.run.Connect(k.ctx, req.RequestURI)
	if err != nil {
		k.refuse(err)
		return
	}
	defer t.Close()
	if _, err := io.WriteString(k.conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		k.pass(t, r, t.CloseWrite)
	}()
	k.pass(k.conn, t, k.conn.CloseWrite)
	<-done
}

// pass copies until from ends, which it tells by end. If either fails, the whole tunnel ends.
func (k *client) pass(to io.Writer, from io.Reader, end func() error) {
	_, err := io.Copy(active{k, to, nil}, active{k, nil, from})
	if err == nil {
		err = end()
	}
	if err != nil {
		k.cancel(err)
	}
}

// An active reader or writer is not idle while it goes on.
type active struct {
	k    *client
	to   io.Writer
	from io.Reader
}

func (a active) Read(p []byte) (int, error) {
	n, err := a.from.Read(p)
	a.k.idle.Reset(a.k.server.options.Idle)
	return n, err
}

func (a active) Write(p []byte) (int, error) {
	n, err := a.to.Write(p)
	a.k.idle.Reset(a.k.server.options.Idle)
	return n, err
}

// refuse answers with an error of the gate.
func (k *client) refuse(err error) {
	status := http.StatusBadGateway
	if _, ok := errors.AsType[*decide.Denied](err); ok {
		status = http.StatusForbidden
	} else if _, ok := errors.AsType[*egress.ParseError](err); ok {
		status = http.StatusBadRequest
	} else if limit, ok := errors.AsType[*egress.LimitError](err); ok && limit.Timeout() {
		status = http.StatusGatewayTimeout
	} else if ok {
		status = http.StatusTooManyRequests
	}
	k.answer(status, err.Error())
}

// Bounds of what is read of a client that has its answer, so that the answer is not lost with what it sends.
const (
	drainBytes = 1 << 20
	drainTime  = time.Second
)

// answer answers without a server, and waits a little until the client has seen it.
func (k *client) answer(status int, text string) {
	if k.write(status, text) != nil || k.conn.CloseWrite() != nil {
		return
	}
	k.conn.SetReadDeadline(time.Now().Add(drainTime))
	io.CopyN(io.Discard, k.conn, drainBytes)
}

// write writes an answer. Its text is also the reason of the status, which is all that many clients show.
func (k *client) write(status int, text string) error {
	text = oneLine(text)
	authenticate := ""
	if status == http.StatusProxyAuthRequired {
		authenticate = "Proxy-Authenticate: Basic realm=\"sandtrap\"\r\n"
	}
	k.conn.SetWriteDeadline(time.Now().Add(k.server.options.Head))
	_, err := fmt.Fprintf(k.conn, "HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n%s\r\n%s\n",
		status, text, len(text)+1, authenticate, text)
	return err
}

// maxText is how many bytes an answer may have.
const maxText = 2 << 10

// oneLine is a text of visible ASCII and spaces.
func oneLine(text string) string {
	text = strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return '?'
		}
		return c
	}, text)
	return text[:min(len(text), maxText)]
}
