package cluster

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// ServerOptions are those of a Server.
type ServerOptions struct {
	Listen    string // host:port where workers and other fronts reach it; empty: none do
	Roster    Roster // who they are
	Dir       string // for streams; empty: there are none
	Cert, Key string // files of TLS; without them, Listen is an address of this machine alone
	Log       *slog.Logger
}

// A Server is one of NATS in this process, for a front that needs no other.
type Server struct {
	nats   *server.Server
	auth   *auth
	roster Roster
	log    *slog.Logger
	stop   <-chan struct{}
	end    func() // closes stop
	group  sync.WaitGroup

	reading sync.Mutex
	bad     string // what was wrong with the roster when it was read last

	mu   sync.Mutex
	came map[string]uint64 // the last connections that came in, by their keys
	outs map[string]outs   // those that gave way to another one with their key
	some chan struct{}     // has one when there are some
}

const (
	readyWithin = 10 * time.Second // bounds the start of a Server
	tlsWithin   = 5 * time.Second  // bounds a handshake
	barredFor   = time.Minute
	rosterEach  = time.Second // the roster is read again
	maxConns    = maxMembers
)

// maxStored bounds what JetStream keeps of all tenants, in bytes. There is no store in memory.
const maxStored = 64 << 30

// Names of a Server that no worker may have.
const (
	SelfName = "self"   // the worker of this process
	nobody   = "nobody" // before a worker has a job
)

// Start starts a server.
func Start(o ServerOptions) (*Server, error) {
	options, err := o.options()
	if err != nil {
		return nil, err
	}
	stop := make(chan struct{})
	s := &Server{
		auth: &auth{own: map[string]Entry{}, listed: map[string]Entry{}, barred: map[string]time.Time{}}, roster: o.Roster, log: o.Log, stop: stop, end: sync.OnceFunc(func() { close(stop) }),
		came: map[string]uint64{}, outs: map[string]outs{}, some: make(chan struct{}, 1),
	}
	s.auth.in = s.cameIn
	s.auth.more = func() []Entry {
		list, _ := s.roster.List() // follow tells of the error
		return list
	}
	options.CustomClientAuthentication, options.AlwaysEnableNonce = s.auth, true
	if s.nats, err = server.NewServer(options); err != nil {
		return nil, err
	}
	s.read()
	s.nats.Start()
	if !s.nats.ReadyForConnections(readyWithin) {
		s.nats.Shutdown()
		return nil, fmt.Errorf("the server for workers does not start at %s: is the port in use?", o.Listen)
	}
	s.group.Go(s.follow)
	return s, nil
}

// options are those of the server of NATS.
func (o *ServerOptions) options() (*server.Options, error) {
	n := &server.Options{
		ServerName: "sandtrapd", NoSigs: true, NoLog: true, DontListen: o.Listen == "", MaxPayload: maxJob, MaxPending: maxBack,
		MaxConn: maxConns, MaxControlLine: 1024, WriteDeadline: 10 * time.Second, PingInterval: pingEach, MaxPingsOut: maxPings,
	}
	if o.Dir != "" {
		// What is acknowledged is on disk, but of streams that say otherwise.
		n.JetStream, n.StoreDir, n.SyncAlways, n.JetStreamMaxMemory, n.JetStreamMaxStore = true, o.Dir, true, 1, maxStored
		n.NoSystemAccount = true
	}
	if (o.Cert == "") != (o.Key == "") {
		return nil, errors.New("--cluster-tls-cert and --cluster-tls-key are needed together")
	}
	if o.Cert != "" {
		config, err := server.GenTLSConfig(&server.TLSConfigOpts{CertFile: o.Cert, KeyFile: o.Key})
		if err != nil {
			return nil, fmt.Errorf("--cluster-tls-cert: %w", err)
		}
		n.TLS, n.TLSConfig, n.TLSTimeout = true, config, tlsWithin.Seconds()
	}
	if o.Listen == "" {
		return n, nil
	}
	at, err := address(o.Listen)
	if err == nil && o.Cert == "" && !at.Addr().IsLoopback() {
		err = fmt.Errorf("--cluster-listen %q: want --cluster-tls-cert and --cluster-tls-key too, or an address of this machine alone, as 127.0.0.1:4222", o.Listen)
	}
	n.Host, n.Port = at.Addr().String(), int(at.Port())
	if n.Port == 0 {
		n.Port = server.RANDOM_PORT
	}
	return n, err
}

// address is where a server listens.
func address(listen string) (netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(listen)
	if host == "localhost" {
		host = "127.0.0.1"
	}
	at, parseErr := netip.ParseAddrPort(net.JoinHostPort(host, port))
	if err != nil || parseErr != nil {
		return at, fmt.Errorf("--cluster-listen %q: want ADDRESS:PORT, as 127.0.0.1:4222", listen)
	}
	return at, nil
}

// URL is where workers reach the server.
func (s *Server) URL() string { return s.nats.ClientURL() }

// Connect is the connection of the front that the server is in.
func (s *Server) Connect() (*nats.Conn, error) { return s.connect(RoleFront, "front") }

// ConnectWorker is the connection of the worker of this process, and its name.
func (s *Server) ConnectWorker() (*nats.Conn, string, error) {
	conn, err := s.connect(RoleWorker, SelfName)
	return conn, SelfName, err
}

// connect connects to the server with a key that is new.
func (s *Server) connect(role Role, name string) (*nats.Conn, error) {
	i, err := NewIdentity(role, name)
	if err != nil {
		return nil, err
	}
	s.auth.let(i)
	return nats.Connect("", nats.InProcessServer(s.nats), i.option(), nats.Name(name))
}

// Close ends it, and all connections.
func (s *Server) Close() {
	s.end()
	s.group.Wait()
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
}

// follow reads the roster again and again.
func (s *Server) follow() {
	tick := time.NewTicker(rosterEach)
	defer tick.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-tick.C:
			s.read()
			s.mu.Lock()
			maps.DeleteFunc(s.outs, func(_ string, o outs) bool { return time.Since(o.began) > fightFor })
			s.mu.Unlock()
		case <-s.some:
			s.mu.Lock()
			came := s.came
			s.came = map[string]uint64{}
			s.mu.Unlock()
			s.kick(came)
		}
	}
}

// read reads the roster, and ends the connections of those that are in it no more. One that cannot be read is as if it were not there.
func (s *Server) read() {
	s.reading.Lock()
	defer s.reading.Unlock()
	list, err := s.roster.List()
	text := fmt.Sprint(err)
	if err != nil && text != s.bad {
		s.log.Error("the workers and fronts of the cluster", "error", err)
	}
	s.bad = text
	gone := map[string]uint64{}
	for public, e := range s.auth.set(list) {
		s.log.Info("a key of the cluster is gone", "name", e.Name, "role", e.Role)
		gone[public] = math.MaxUint64
	}
	if len(gone) > 0 {
		s.kick(gone)
	}
}

// Bar ends the connection of a worker, and lets it in again later.
func (s *Server) Bar(worker string) {
	if public := s.auth.bar(worker, time.Now().Add(barredFor)); public != "" {
		s.kick(map[string]uint64{public: math.MaxUint64})
	}
}

// cameIn has the last one of several connections with a key be the only one: else a worker whose name two processes have would never be silent. It is
// called by the server, which waits.
func (s *Server) cameIn(public string, connection uint64) {
	s.mu.Lock()
	s.came[public] = max(s.came[public], connection)
	s.mu.Unlock()
	select {
	case s.some <- struct{}{}:
	default:
	}
}

// outs are connections of a key that gave way to another one, since a time.
type outs struct {
	began time.Time
	n     int
}

// Two processes that have a key throw each other out several times a second; one that comes again does so once.
const (
	fightFor  = 10 * time.Second
	maxFights = 5
)

// gaveWay notes that a connection ends because another one has its key.
func (s *Server) gaveWay(public string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, known := s.outs[public]
	if !known {
		o.began = time.Now()
	}
	o.n++
	s.outs[public] = o
	if o.n == maxFights {
		e, _ := s.auth.entry(public)
		s.log.Error("two processes have one key, and throw each other out: each needs its own", "role", e.Role, "name", e.Name)
	}
}

// kick ends the connections with these keys that came before others.
func (s *Server) kick(before map[string]uint64) {
	all, err := s.nats.Connz(&server.ConnzOptions{Username: true, Limit: 2 * maxConns})
	if err != nil {
		s.log.Error("the connections of the cluster are not known", "error", err)
		return
	}
	for _, one := range all.Conns {
		if one.Cid < before[one.AuthorizedUser] {
			s.gaveWay(one.AuthorizedUser)
			_ = s.nats.DisconnectClientByID(one.Cid) // it may have gone by itself
		}
	}
}
