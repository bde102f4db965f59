package cli_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
)

// natsMain is a server of NATS, by a file with its configuration.
func natsMain(file string) int {
	o, err := natsserver.ProcessConfigFile(file)
	if err == nil {
		var n *natsserver.Server
		if n, err = natsserver.NewServer(o); err == nil {
			n.ConfigureLogger()
			n.Start()
			n.WaitForShutdown()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// A natsCluster is three servers of NATS in processes of their own.
type natsCluster struct {
	t     testing.TB
	files []string
	ports []string
	cmds  []*exec.Cmd
}

// startNATS starts the cluster. It lets fronts in with a password, and workers with their keys.
func startNATS(t *testing.T, keys ...string) *natsCluster {
	c := &natsCluster{t: t, cmds: make([]*exec.Cmd, 3)}
	var routes []string
	for range 3 {
		c.ports = append(c.ports, freePort(t))
		routes = append(routes, freePort(t))
	}
	users := "{ user: front, password: front }"
	for i, key := range keys {
		who, err := cluster.ReadIdentity(key, cluster.RoleWorker)
		if err != nil {
			t.Fatal(i, err)
		}
		users += fmt.Sprintf(`, { nkey: %s, permissions: { publish: ["sandtrap.1.back.%[2]s.>", "sandtrap.1.here.%[2]s"], subscribe: ["sandtrap.1.job.> workers", "sandtrap.1.own.%[2]s", "sandtrap.1.give.%[2]s", "sandtrap.1.end.%[2]s"] } }`, who.Public(), who.Name)
	}
	dir := t.TempDir()
	for i := range 3 {
		file := filepath.Join(dir, fmt.Sprint(i, ".conf"))
		text := fmt.Sprintf(`server_name: s%d
listen: %s
max_payload: 8MB
jetstream { store_dir: %q }
cluster { name: test, listen: %s, routes: ["nats://%s"] }
authorization { users: [ %s ] }
logfile: %q
`, i, c.ports[i], filepath.Join(dir, fmt.Sprint("js", i)), routes[i], strings.Join(routes, `", "nats://`), users, filepath.Join(dir, fmt.Sprint(i, ".log")))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c.files = append(c.files, file)
		c.start(i)
	}
	t.Cleanup(func() {
		for i := range c.cmds {
			c.kill(i)
		}
	})
	return c
}

func (c *natsCluster) start(i int) {
	c.cmds[i] = exec.Command(os.Args[0])
	c.cmds[i].Env = append(os.Environ(), "SANDTRAPD_TEST_NATS="+c.files[i])
	c.cmds[i].Stderr = os.Stderr
	if err := c.cmds[i].Start(); err != nil {
		c.t.Error(err)
	}
}

func (c *natsCluster) kill(i int) {
	_ = c.cmds[i].Process.Kill()
	_ = c.cmds[i].Wait()
}

// url is that of fronts.
func (c *natsCluster) url() string {
	return "nats://front:front@" + strings.Join(c.ports, ",nats://front:front@")
}

// workersURL is that of workers, which have keys.
func (c *natsCluster) workersURL() string { return "nats://" + strings.Join(c.ports, ",nats://") }

// ready waits until the servers keep streams.
func (c *natsCluster) ready() jetstream.JetStream {
	conn, err := nats.Connect(c.url(), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		c.t.Fatal(err)
	}
	until(c.t, "JetStream of three servers", func() bool {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: "ready", Subjects: []string{"ready"}, Replicas: 3})
		return err == nil
	})
	return js
}

// times is a number of the environment, or another one.
func times(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// TestMany: three servers of NATS, two fronts and four workers, of which one is killed each second, and a server each ten: each run has
// one outcome, as a client of NATS counts them, and the same one at both fronts, also each line of a batch of a tenth as many and each cell of
// sessions (one for 500 runs); each call of a tool has one effect, as the process counts
// them that has them; and nothing is lost. SANDTRAPD_MANY is how many runs there are, manyLoads which ones.
func TestMany(t *testing.T) {
	var keys []string
	for i := range 4 {
		keys = append(keys, workerKey(t, t.TempDir(), fmt.Sprint("w", i)))
	}
	c := startNATS(t, keys...)
	js := c.ready()
	flags := []string{"--cluster", c.url(), "--cluster-replicas", "3"}
	dirs := []string{t.TempDir(), t.TempDir()}
	fronts := []*process{serve(t, dirs[0], flags...), serve(t, dirs[1], flags...)}
	outcomes := watchOutcomes(t, js)
	var workers []*workerProcess
	for i := range 4 {
		workers = append(workers, startWorker(t, c.workersURL(), keys[i]))
	}
	n := times("SANDTRAPD_MANY", 600)
	ctx, stop := context.WithCancel(t.Context())
	var disturbing sync.WaitGroup
	disturbing.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second):
			}
			workers[i%4].end(syscall.SIGKILL)
			workers[i%4] = startWorker(t, c.workersURL(), keys[i%4])
			if i%10 == 3 {
				at := rand.IntN(3)
				c.kill(at)
				c.start(at)
			}
		}
	})
	m := &many{t: t, fronts: fronts, ids: make([]string, n), effects: startEffects(t)}
	// What goes on beside the runs: lines of a batch, and cells of sessions.
	lines, sessions := max(10, n/10), max(2, n/500)
	var beside sync.WaitGroup
	batch := ""
	beside.Go(func() { batch = m.lines(lines) })
	beside.Go(func() { m.sessions(sessions) })
	took := m.run()
	beside.Wait()
	stop()
	disturbing.Wait()
	t.Logf("%d runs in %.1f s, %.0f each second, %d requests, by kinds of load: %v", n, took.Seconds(), float64(n)/took.Seconds(), m.tries.Load(), m.counts())
	t.Logf("beside them %d lines and %d sessions with %d cells each", lines, sessions, manyCells+len(fronts))
	for id, times := range outcomes(n + lines + sessions*(manyCells+len(fronts))) {
		if times != 1 {
			t.Errorf("the outcome of %s was written %d times", id, times)
		}
	}
	m.check()
	m.checkLines(batch, lines)
}

// watchOutcomes counts how often the outcome of each run is written to the ledger, as a client of NATS reads it. The func waits for so many.
func watchOutcomes(t *testing.T, js jetstream.JetStream) func(n int) map[string]int {
	t.Helper()
	var mu sync.Mutex
	seen := map[string]int{}
	c, err := js.OrderedConsumer(t.Context(), "KV_sandtrap_1_runs", jetstream.OrderedConsumerConfig{})
	if err != nil {
		t.Fatal(err)
	}
	reading, err := c.Consume(func(m jetstream.Msg) {
		id := m.Subject()[strings.LastIndex(m.Subject(), ".")+1:]
		if strings.HasPrefix(id, "run_") && strings.Contains(string(m.Data()), "\x65State\x64done") { // in CBOR; an entry of a session has its last run too
			mu.Lock()
			defer mu.Unlock()
			seen[id]++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(reading.Stop)
	return func(n int) map[string]int {
		until(t, "outcomes of all runs", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(seen) >= n
		})
		mu.Lock()
		defer mu.Unlock()
		if len(seen) != n {
			t.Errorf("the ledger has %d outcomes of %d runs", len(seen), n)
		}
		return seen
	}
}
