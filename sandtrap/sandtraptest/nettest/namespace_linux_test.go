package nettest

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// Two namespaces have one link: "here", where a host runs scripts, and "there", whose server is all of the internet. What here sends to
// whatever address goes to there, whose counters see it.
const (
	hereAddr, hereMAC   = "93.184.216.10", "02:00:00:00:00:0a"
	thereAddr, thereMAC = "93.184.216.34", "02:00:00:00:00:0b"
)

func init() { roles["there"], roles["child"] = serveThere, childProgram }

// A world is what a test has that runs here.
type world struct {
	there int // the process of the server
	roots *x509.CertPool
}

// inNamespace runs the test again in a namespace, and there gives its world; outside it gives nil.
func inNamespace(t *testing.T) *world {
	t.Helper()
	dir := os.Getenv("NETTEST_DIR")
	if dir == "" {
		outside(t)
		return nil
	}
	there, err := strconv.Atoi(os.Getenv("NETTEST_THERE"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("here")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil { // it has its link
		t.Fatal(err)
	}
	if err := configure("here", hereAddr, thereAddr, thereMAC); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "cert.pem"))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{there: there, roots: x509.NewCertPool()}
	w.roots.AppendCertsFromPEM(text)
	return w
}

// outside makes the namespaces and their link, and runs the test in there.
func outside(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	rig.WriteFile(t, filepath.Join(dir, "cert.pem"), "")
	writeCertificate(t, dir)
	there := start(t, "there", nil, "NETTEST_ROLE=there", "NETTEST_DIR="+dir)
	here := start(t, "here", []string{"-test.run=^" + t.Name() + "$", "-test.v"}, "NETTEST_DIR="+dir, "NETTEST_THERE="+strconv.Itoa(there.cmd.Process.Pid))
	link := exec.Command("ip", "link", "add", "here", "netns", strconv.Itoa(here.cmd.Process.Pid), "address", hereMAC, "type", "veth",
		"peer", "name", "there", "netns", strconv.Itoa(there.cmd.Process.Pid), "address", thereMAC)
	if out, err := link.CombinedOutput(); err != nil {
		cannot(t, fmt.Sprintf("a link between namespaces: %v: %s", err, out))
	}
	there.say(t)
	if line := there.line(t); line != "serves" {
		t.Fatalf("the server: %s", line)
	}
	here.say(t)
	text, _ := io.ReadAll(here.out)
	err := here.cmd.Wait()
	t.Logf("in the namespace:\n%s", text)
	switch {
	case err != nil:
		t.Error(err)
	case bytes.Contains(text, []byte("--- SKIP")):
		cannot(t, "a part of it was skipped")
	case !bytes.Contains(text, []byte("--- PASS: "+t.Name()+" ")):
		t.Error("it has not run")
	}
}

// cannot skips a test that this machine cannot run. Where SANDTRAP_KERNEL_TESTS is "required" the test fails.
func cannot(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("SANDTRAP_KERNEL_TESTS") == "required" {
		t.Fatal(why)
	}
	t.Skipf("this machine cannot run %s: %s", t.Name(), why)
}

// A process is one in a network namespace of its own.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// start starts this program in a new network namespace, and waits for its first line.
func start(t *testing.T, first string, args []string, env ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(os.Args[0], args...)}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	p.cmd.Stderr = os.Stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		cannot(t, fmt.Sprintf("a process in a network namespace: %v", err))
	}
	p.out = bufio.NewReader(out)
	t.Cleanup(func() {
		p.in.Close()
		p.cmd.Process.Kill()
		p.cmd.Wait()
	})
	for line := ""; line != first; {
		line = p.line(t)
	}
	return p
}

func (p *process) line(t *testing.T) string {
	t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatalf("the process has ended: %q, %v", line, err)
	}
	return strings.TrimSpace(line)
}

// say lets the process go on.
func (p *process) say(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(p.in, "go on\n"); err != nil {
		t.Fatal(err)
	}
}

// configure gives this namespace an address on its link, and a way to all others. Nothing is sent by itself: the neighbour is known, and
// there is no IPv6, which looks for routers.
func configure(dev, own, other, mac string) error {
	if err := os.WriteFile("/proc/sys/net/ipv6/conf/"+dev+"/disable_ipv6", []byte("1"), 0); err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, line := range []string{
		"link set lo up", "addr add " + own + "/24 dev " + dev, "link set " + dev + " up",
		"neigh replace " + other + " lladdr " + mac + " dev " + dev + " nud permanent", "route add default via " + other,
	} {
		if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %s: %w: %s", line, err, out)
		}
	}
	return nil
}

// writeCertificate writes one for api.example, and its key.
func writeCertificate(t *testing.T, dir string) {
	t.Helper()
	c := certificate(t, "api.example", x509.NewCertPool())
	pkcs, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	rig.WriteFile(t, filepath.Join(dir, "cert.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificate[0]})))
	rig.WriteFile(t, filepath.Join(dir, "key.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs})))
}

// serveThere is the process of the server: http and https at its address.
func serveThere() {
	fmt.Println("there")
	bufio.NewReader(os.Stdin).ReadString('\n')
	if err := configure("there", thereAddr, hereAddr, hereMAC); err != nil {
		fmt.Println(err)
		return
	}
	dir := os.Getenv("NETTEST_DIR")
	cert, err := tls.LoadX509KeyPair(filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"))
	if err != nil {
		fmt.Println(err)
		return
	}
	hello := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "hello %s", r.URL.Path) })
	quiet := log.New(io.Discard, "", 0)
	plain := &http.Server{Addr: thereAddr + ":80", Handler: hello, ErrorLog: quiet}
	secure := &http.Server{Addr: thereAddr + ":443", Handler: hello, ErrorLog: quiet, TLSConfig: &tls.Config{Certificates: []tls.Certificate{cert}}}
	go func() { fmt.Println(plain.ListenAndServe()) }()
	go func() { fmt.Println(secure.ListenAndServeTLS("", "")) }()
	for _, port := range []string{"80", "443"} {
		for !listens(thereAddr + ":" + port) {
			time.Sleep(time.Millisecond)
		}
	}
	fmt.Println("serves")
	io.Copy(io.Discard, os.Stdin) // until the test ends
}

// gate is one whose names are those of the world. Without names the resolver of the system is asked, by packets.
func (w *world) gate(t *testing.T, names map[string]string, rules ...string) *egress.Gate {
	t.Helper()
	p := egress.Policy{}
	for _, text := range rules {
		rule, err := egress.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Rules = append(p.Rules, rule)
	}
	o := egress.Options{Roots: w.roots}
	if names != nil {
		o.Resolve = func(_ context.Context, host string) ([]netip.Addr, error) {
			ip, err := netip.ParseAddr(names[host])
			return []netip.Addr{ip}, err
		}
	}
	g, err := egress.New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

// packets are those that came there, and those on the loopback of here, once no more come.
func (w *world) packets(t *testing.T) (n int) {
	t.Helper()
	for last := -1; ; last = n {
		n = received(t, w.there, "there") + received(t, os.Getpid(), "lo")
		if n == last {
			return n
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// received are the packets that an interface of the namespace of a process has received.
func received(t *testing.T, pid int, dev string) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/dev", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, line, ok := strings.Cut(string(text), " "+dev+":")
	fields := strings.Fields(line)
	if !ok || len(fields) < 2 {
		t.Fatalf("no interface %s: %s", dev, text)
	}
	n, err := strconv.Atoi(fields[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
