package api

import (
	"net/http"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/cmd/internal/doctor"
	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

func operatorRoutes() []route {
	return []route{
		{"GET", "/v1/machine", keys.Operator, "getMachine", "Get what the machine does and what isolates runs on it.", nil, nil, machineView{}, (*Server).getMachine},
		{"GET", "/v1/cluster", keys.Operator, "getCluster", "Get the workers that do runs on other machines, and the runs that wait for their turn.", nil, nil, clusterView{}, (*Server).getCluster},
		{"GET", "/metrics", keys.Operator, "getMetrics", "Get the metrics of the server in the text format of Prometheus.", nil, nil, media("text/plain"), (*Server).getMetrics},
	}
}

// A Machine is what does not change while the server runs.
type Machine struct {
	Version string
	Status  sandtrap.Status // of the isolation of runs
}

// streams counts the streams of events that clients read now.
type streams struct{ n atomic.Int64 }

// begin counts one, until end is called.
func (s *streams) begin() (end func()) {
	s.n.Add(1)
	return func() { s.n.Add(-1) }
}

// Streams is how many streams of events clients read now.
func (s *Server) Streams() int64 { return s.streams.n.Load() }

type machineView struct {
	Version   string         `json:"version"`
	Isolation runjson.Status `json:"isolation"`
	Runs      runCounts      `json:"runs"`
	Workers   workers        `json:"workers"` // of all plans
	Plans     []planView     `json:"plans"`
	Sessions  int            `json:"sessions"` // whose state is in memory
	Streams   int64          `json:"streams"`
	Layers    []doctor.Layer `json:"layers"` // of the isolation
}

type runCounts struct {
	Running int `json:"running"`
	Queued  int `json:"queued"`
}

type workers struct {
	Starting int `json:"starting"`
	Ready    int `json:"ready"`
	Busy     int `json:"busy"`
	Waiting  int `json:"waiting"`
	Queued   int `json:"queued"` // runs that wait for one
}

type planView struct {
	Policy  string  `json:"policy"`
	Tools   bool    `json:"tools"`
	Waits   bool    `json:"waits"` // its runs can wait
	Workers workers `json:"workers"`
}

func workersOf(s isolate.PoolStats) workers {
	return workers{s.Starting, s.Ready, s.Busy, s.Waiting, s.Queued}
}

func (s *Server) getMachine(c *call) error {
	list := s.Plans.Stats()
	v := machineView{
		Version:   s.Machine.Version,
		Isolation: runjson.StatusOf(s.Machine.Status),
		Runs:      runCounts(s.Runs.Stats()),
		Workers:   workersOf(plans.Workers(list)),
		Plans:     []planView{},
		Streams:   s.Streams(),
		Sessions:  s.Sessions.Live(),
		Layers:    doctor.LayersOf(s.Machine.Status),
	}
	for _, p := range list {
		v.Plans = append(v.Plans, planView{string(p.Policy), p.Tools, p.Waits, workersOf(p.Workers)})
	}
	return c.answer(http.StatusOK, v)
}

func (s *Server) getMetrics(c *call) error {
	s.Metrics.ServeHTTP(c.w, c.q)
	return nil
}
