package cluster

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/internal/trustedfile"
)

// A Server is one of NATS in this process, for a front that needs no other.
type Server struct {
	nats *server.Server
	auth *auth
}

// readyWithin bounds the start of a Server.
const readyWithin = 10 * time.Second

// The bounds of what JetStream keeps of all tenants, in bytes. There is no store in memory.
const maxStored = 64 << 30

// Start starts a server. Workers reach it at listen, host:port, with the key; with an empty listen none do. An address of other machines is refused:
// the server has no TLS. Streams are kept in the directory; with an empty one there are none.
func Start(listen, key, dir string) (*Server, error) {
	o := &server.Options{
		ServerName: "sandtrapd", NoSigs: true, NoLog: true, DontListen: listen == "", MaxPayload: maxJob, MaxPending: maxBack,
		MaxConn: 4096, MaxControlLine: 1024, WriteDeadline: 10 * time.Second,
	}
	if dir != "" {
		// What is acknowledged is on disk, but of streams that say otherwise.
		o.JetStream, o.StoreDir, o.SyncAlways, o.JetStreamMaxMemory, o.JetStreamMaxStore = true, dir, true, 1, maxStored
		o.NoSystemAccount = true
	}
	if listen != "" {
		at, err := loopback(listen)
		if err != nil {
			return nil, err
		}
		o.Host, o.Port = at.Addr().String(), int(at.Port())
		if o.Port == 0 {
			o.Port = server.RANDOM_PORT
		}
	}
	a := &auth{key: sha256.Sum256([]byte(key)), front: rand.Text()}
	o.CustomClientAuthentication = a
	n, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	n.Start()
	if !n.ReadyForConnections(readyWithin) {
		n.Shutdown()
		return nil, fmt.Errorf("the server for workers does not start at %s: is the port in use?", listen)
	}
	return &Server{n, a}, nil
}

// loopback is an address of this machine alone.
func loopback(listen string) (netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("--cluster-listen %q: want HOST:PORT, as 127.0.0.1:4222", listen)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	at, err := netip.ParseAddrPort(net.JoinHostPort(host, port))
	if err != nil || !at.Addr().IsLoopback() {
		return at, fmt.Errorf("--cluster-listen %q: want an address of this machine alone, as 127.0.0.1:4222: the server has no TLS, and workers on other machines need a cluster of NATS that has", listen)
	}
	return at, nil
}

// URL is where workers reach the server.
func (s *Server) URL() string { return s.nats.ClientURL() }

// Connect is the connection of the front that the server is in.
func (s *Server) Connect() (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(s.nats), nats.UserInfo(frontUser, s.auth.front), nats.Name(frontUser))
}

// ConnectWorker is the connection of a worker in this process.
func (s *Server) ConnectWorker(name, key string) (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(s.nats), nats.UserInfo(name, key), nats.Name(name))
}

// Close ends it, and all connections.
func (s *Server) Close() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
}

// frontUser is the name of the user that the front is.
const frontUser = "front"

// An auth lets in the front of this process, and workers with the key, each with what its ID may do.
type auth struct {
	key   [sha256.Size]byte
	front string // the password of the front, new at each start
}

// Check is a method of server.Authentication.
func (a *auth) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	got := sha256.Sum256([]byte(o.Password))
	if o.Username == frontUser {
		own := sha256.Sum256([]byte(a.front))
		if subtle.ConstantTimeCompare(got[:], own[:]) != 1 {
			return false
		}
		c.RegisterUser(&server.User{Username: frontUser})
		return true
	}
	if !token(o.Username) || subtle.ConstantTimeCompare(got[:], a.key[:]) != 1 {
		return false
	}
	c.RegisterUser(&server.User{Username: o.Username, Permissions: mayDo(o.Username)})
	return true
}

// mayDo is all that a worker may: it gets jobs as one of the queue group alone, so that it sees those alone that it does, and speaks in its own name.
func mayDo(worker string) *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: []string{back + worker + ".>", here + worker}},
		Subscribe: &server.SubjectPermission{Allow: []string{jobs + "> " + workers, ends + worker}},
	}
}

// Key is the key for workers in a file, which is made if it is missing, for this user alone.
func Key(path string) (string, error) {
	text, err := ReadKey(path)
	if !errors.Is(err, os.ErrNotExist) {
		return text, err
	}
	text = rand.Text() + rand.Text()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(text + "\n")
	return text, errors.Join(err, file.Sync(), file.Close())
}

// ReadKey is the key in a file, which nobody else may read.
func ReadKey(path string) (string, error) {
	text, err := trustedfile.ReadSecret(path)
	if err != nil {
		return "", err
	}
	key := strings.TrimSpace(string(text))
	if len(key) < 32 {
		return "", fmt.Errorf("%s: want a key of at least 32 characters", path)
	}
	return key, nil
}
