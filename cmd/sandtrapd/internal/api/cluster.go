package api

import (
	"cmp"
	"net/http"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
)

// A Cluster is how the server has runs done by workers. The zero value has none.
type Cluster struct {
	Mode    string                  // embedded or external
	Workers func() dispatch.Workers // nil if there are none
	Servers func() []Peer           // that share runs; nil if there are none
	Reached func() error            // why the cluster is not reached; nil if there is none
}

// A Peer is a server that shares runs with this one.
type Peer struct {
	ID, Name, Version string
	Leases            int // of sessions
	Seen              time.Time
	Own               bool // it is this one
}

type clusterView struct {
	Mode    string       `json:"mode"` // none if this process does all runs, embedded if it has the server of NATS, external otherwise
	Queues  []queueView  `json:"queues"`
	Workers []workerView `json:"workers"`
	Again   int64        `json:"again"`   // runs that were sent to another worker, since the start of the server
	Servers []serverView `json:"servers"` // that share runs, as this one has heard them in the last minute
	CutOff  string       `json:"cut_off"` // why this server does not reach its cluster; empty if it does
}

type serverView struct {
	ID       string `json:"id"`   // of its data directory
	Name     string `json:"name"` // of its key; empty if it has none
	Version  string `json:"version"`
	Sessions int    `json:"sessions"` // that it has the lease of
	SeenMS   int64  `json:"seen_ms"`  // how long ago it was heard
	Own      bool   `json:"own"`      // it is the one that answers
}

type queueView struct {
	Name    string        `json:"name"`  // here for runs that this process does, workers for those of workers
	Turns   int           `json:"turns"` // how many run at a time
	Waiting int           `json:"waiting"`
	Tenants []waitingView `json:"tenants"` // of those that wait, 100 at most, the one that has waited longest first
}

type waitingView struct {
	Tenant   string `json:"tenant"`
	Waiting  int    `json:"waiting"`
	OldestMS int64  `json:"oldest_ms"` // how long the first one has waited
}

type workerView struct {
	Name      string `json:"name"`
	Slots     int    `json:"slots"` // how many runs it does at a time; 0 when it takes no more
	Running   int    `json:"running"`
	Memory    int64  `json:"memory"` // bytes that runs may have there, in all
	Free      int64  `json:"free"`   // of them, what none has
	Load      int    `json:"load"`   // of 100 for each processor of its machine
	Isolation string `json:"isolation"`
	Version   string `json:"version"`
	SeenMS    int64  `json:"seen_ms"` // how long ago it was heard
	Unfit     string `json:"unfit"`   // why it gets no runs; empty if it does
}

// maxWaiting bounds the tenants that are told of.
const maxWaiting = 100

func (s *Server) getCluster(c *call) error {
	v := clusterView{Mode: cmp.Or(s.Cluster.Mode, "none"), Workers: []workerView{}, Servers: []serverView{}}
	now := time.Now()
	for i, q := range s.Runs.Queues() {
		v.Queues = append(v.Queues, queueOf([]string{"here", "workers"}[i], q, now))
	}
	if s.Cluster.Workers != nil {
		all := s.Cluster.Workers()
		v.Again = all.Again
		for _, w := range all.List {
			v.Workers = append(v.Workers, workerView{w.Name, w.Slots, w.Running, w.Memory, w.Free, w.Load, w.Isolation, w.Version, now.Sub(w.Seen).Milliseconds(), w.Unfit})
		}
	}
	if s.Cluster.Servers != nil {
		for _, one := range s.Cluster.Servers() {
			v.Servers = append(v.Servers, serverView{one.ID, one.Name, one.Version, one.Leases, now.Sub(one.Seen).Milliseconds(), one.Own})
		}
	}
	if s.Cluster.Reached != nil {
		if err := s.Cluster.Reached(); err != nil {
			v.CutOff = err.Error()
		}
	}
	return c.answer(http.StatusOK, v)
}

func queueOf(name string, q dispatch.Queue, now time.Time) queueView {
	stats := q.Stats()
	v := queueView{Name: name, Turns: stats.Turns, Waiting: stats.Queued, Tenants: []waitingView{}}
	for _, w := range q.Waiting() {
		if len(v.Tenants) == maxWaiting {
			break
		}
		v.Tenants = append(v.Tenants, waitingView{w.Tenant, w.N, now.Sub(w.Since).Milliseconds()})
	}
	return v
}
