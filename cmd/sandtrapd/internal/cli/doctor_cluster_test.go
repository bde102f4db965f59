package cli_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// natsAlone starts a server of NATS in this process.
func natsAlone(t *testing.T, o *natsserver.Options) *natsserver.Server {
	t.Helper()
	o.Host, o.Port, o.NoSigs, o.NoLog = "127.0.0.1", natsserver.RANDOM_PORT, true, true
	n, err := natsserver.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	n.Start()
	t.Cleanup(func() { n.Shutdown(); n.WaitForShutdown() })
	if !n.ReadyForConnections(time.Minute) {
		t.Fatal("NATS does not start")
	}
	return n
}

// TestDoctorCluster: doctor says what a cluster has of that which a server needs, and changes nothing there.
func TestDoctorCluster(t *testing.T) {
	dir, at := t.TempDir(), freePort(t)
	key := frontKey(t, dir, "f2")
	doctor := func(flags ...string) (string, error) {
		return run(t, append([]string{"doctor", "--isolation", "none", "--data", t.TempDir()}, flags...)...)
	}
	p := serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	startWorker(t, "nats://"+at, workerKey(t, dir, "w1"))
	until(t, "the worker", func() bool { return strings.Contains(p.log.String(), "worker=w1") })
	text, err := doctor("--cluster", "nats://"+at, "--cluster-key", key)
	for _, line := range []string{
		`cluster +fine: nats://127\.0\.0\.1:\d+, NATS 2\.\S+, without TLS, messages of 8192 KiB`, `rights +fine: .*`, `jetstream +fine: \d+ streams of .*`,
		`ledger +fine: \d+ (entry|entries), on 1 of 1 server`, `clock +fine: -?\d\S* from that of NATS`, `servers +fine: 1 there`, `workers +fine: 2 of 2 get runs, with \d+ slots`,
	} {
		if err != nil || !regexp.MustCompile(`(?m)^`+line+`$`).MatchString(text) {
			t.Errorf("%v, want %s:\n%s", err, line, text)
		}
	}
	unused := t.TempDir()
	workerKey(t, unused, "w2")
	for want, flags := range map[string][]string{
		`cluster +fine: none`:                            nil,
		`cluster +fine: in this process`:                 {"--cluster", "embedded"},
		`members +fine: 0 workers and 0 servers`:         {"--cluster", "embedded"},
		`cluster +fine: at 127\.0\.0\.1:4222`:            {"--cluster", "embedded", "--cluster-listen", "127.0.0.1:4222"},
		`members +fine: 1 worker and 0 servers are let `: {"--cluster", "embedded", "--data", filepath.Join(unused, "data")},
	} {
		if text, err := doctor(flags...); err != nil || !regexp.MustCompile(`(?m)^`+want).MatchString(text) {
			t.Errorf("%v, %q, want %s:\n%s", err, flags, want, text)
		}
	}
	plain, few := natsAlone(t, &natsserver.Options{}), natsAlone(t, &natsserver.Options{JetStream: true, StoreDir: t.TempDir(), Users: []*natsserver.User{{
		Username: "few", Password: "few", Permissions: &natsserver.Permissions{Subscribe: &natsserver.SubjectPermission{Deny: []string{"sandtrap.*.here.*"}}},
	}}})
	newer := natsAlone(t, &natsserver.Options{JetStream: true, StoreDir: t.TempDir()})
	conn, err := nats.Connect(newer.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go func() {
		for !conn.IsClosed() {
			_ = conn.Publish("sandtrap.2.server.x", nil) // until it is closed
			_ = conn.Publish("sandtrap.2.here.w", nil)
			time.Sleep(100 * time.Millisecond)
		}
	}()
	for want, flags := range map[string][]string{
		`cluster +not fine: the flags --cluster-`:                                           {"--cluster-listen", "127.0.0.1:0"},
		`cluster +not fine: --cluster-listen "nowhere"`:                                     {"--cluster", "embedded", "--cluster-listen", "nowhere"},
		`cluster +not fine: the cluster at nats://127\.0\.0\.1:\d+: .*no servers available`: {"--cluster", "nats://" + freePort(t), "--cluster-key", key},
		`cluster +not fine: .*does not know the key`:                                        {"--cluster", "nats://" + at, "--cluster-key", frontKey(t, t.TempDir(), "f3")},
		`ledger +not fine: .* and --cluster-replicas is 3`:                                  {"--cluster", "nats://" + at, "--cluster-key", key, "--cluster-replicas", "3"},
		`ledger +not fine: --cluster-replicas 3, and NATS tells of`:                         {"--cluster", newer.ClientURL(), "--cluster-replicas", "3"},
		`jetstream not fine: NATS keeps nothing`:                                            {"--cluster", plain.ClientURL()},
		`rights +not fine: .*sandtrap.\*.here.\*`:                                           {"--cluster", strings.Replace(few.ClientURL(), "//", "//few:few@", 1)},
		`servers +not fine: .*version 2`:                                                    {"--cluster", newer.ClientURL()},
		`workers +not fine: .*version 2`:                                                    {"--cluster", newer.ClientURL()},
	} {
		if text, err := doctor(flags...); err == nil || !regexp.MustCompile(`(?m)^`+want).MatchString(text) {
			t.Errorf("%v, %q, want %s:\n%s", err, flags, want, text)
		}
	}
	if state, err := newer.Jsz(nil); err != nil || state.Streams > 0 {
		t.Errorf("doctor has made %d streams, %v", state.Streams, err)
	}
}

// TestDoctorBeside: beside a server that runs doctor opens neither its directory nor a connection with its key, and says which checks it leaves out. That is no
// failure.
func TestDoctorBeside(t *testing.T) {
	dir, other, at := t.TempDir(), t.TempDir(), freePort(t)
	key := frontKey(t, dir, "f2")
	workerKey(t, dir, "w1")
	p := serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	second := serve(t, other, "--cluster", "nats://"+at, "--cluster-key", key)
	doctor := func(dir string, flags ...string) string {
		t.Helper()
		text, err := run(t, append([]string{"doctor", "--isolation", "none", "--data", filepath.Join(dir, "data"), "--cluster"}, flags...)...)
		if err != nil {
			t.Errorf("%v:\n%s", err, text)
		}
		return text
	}
	embedded, connected := doctor(dir, "embedded", "--cluster-listen", at), doctor(other, "nats://"+at, "--cluster-key", key)
	for line, text := range map[string]string{
		`data +left out: another process has ` + regexp.QuoteMeta(dir): embedded,
		`cluster +left out: whether ` + at + ` is free`:                embedded,
		`listen +left out: whether 127.0.0.1:8080 is free`:             embedded,
		`members +fine: 1 worker and 1 server are let in`:              embedded,
		`data +left out: `: connected,
		`cluster +left out: all that is asked of the cluster`: connected,
	} {
		if !regexp.MustCompile(`(?m)^` + line).MatchString(text) {
			t.Errorf("want %s:\n%s", line, text)
		}
	}
	if strings.Contains(embedded+connected, "not fine") {
		t.Errorf("%s%s", embedded, connected)
	}
	time.Sleep(500 * time.Millisecond) // a connection would have ended
	if log := p.log.String() + second.log.String(); strings.Contains(log, "the cluster is gone") {
		t.Errorf("doctor has disturbed a server:\n%s", log)
	}
}
