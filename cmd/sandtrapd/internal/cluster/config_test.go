package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// TestStaticConfig: the configuration of the docs is valid, and a worker by it does jobs, and sees and says nothing of another one.
func TestStaticConfig(t *testing.T) {
	doc, err := os.ReadFile("../../../../docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(doc), "`TestStaticConfig` loads this file:\n\n```\n")
	text, _, ok := strings.Cut(text, "```")
	if !ok {
		t.Fatal("the docs have no configuration")
	}
	ids := map[string]*Identity{}
	for word, role := range map[string]Role{"FRONT": RoleFront, "WORKER_A": RoleWorker, "WORKER_B": RoleWorker} {
		name := strings.ToLower(strings.TrimPrefix(word, "WORKER_"))
		if ids[name], err = NewIdentity(role, name); err != nil {
			t.Fatal(err)
		}
		text = strings.Replace(text, word, ids[name].Public(), 1)
	}
	ca := newAuthority(t)
	cert, key := ca.certificate("127.0.0.1", ca.cert.NotAfter)
	text = strings.NewReplacer("0.0.0.0:4222", "127.0.0.1:-1", "/var/lib/nats", t.TempDir(), "/etc/nats/cert.pem", cert, "/etc/nats/key.pem", key).Replace(text)
	file := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(file)
	if err != nil {
		t.Fatal(err)
	}
	o.NoSigs, o.NoLog = true, true
	n, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	n.Start()
	defer n.Shutdown()
	if !n.ReadyForConnections(readyWithin) {
		t.Fatal("it does not start")
	}
	open := func(name string) *nats.Conn {
		conn, err := (&Link{URL: n.ClientURL(), Identity: ids[name], CA: ca.file}).Connect(quiet)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		return conn
	}
	f, err := NewFront(open("front"), "none", equal, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a := open("a")
	work(t, a, "a", 2, honest)
	has(t, f, 2)
	if _, out, err := do(t, f); err != nil || out != "one\ntwo\n" {
		t.Errorf("%v, output %q", err, out)
	}
	b := open("b")
	heard, err := b.SubscribeSync(ends + "b")
	if err != nil {
		t.Fatal(err)
	}
	refused := make(chan error, 10)
	a.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err })
	for _, subject := range []string{ends + "b", ends + ">", back + "b.>", jobs + ">", here + "*", "$JS.API.>"} {
		if _, err := a.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		if err := <-refused; !strings.Contains(strings.ToLower(err.Error()), "permissions violation") {
			t.Errorf("%s: %v", subject, err)
		}
	}
	if err := a.Publish(ends+"b", nil); err != nil {
		t.Fatal(err)
	}
	<-refused
	if n, _, _ := heard.Pending(); n != 0 {
		t.Error("b has heard a")
	}
}
