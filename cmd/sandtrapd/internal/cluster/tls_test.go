package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An authority signs certificates.
type authority struct {
	t    *testing.T
	file string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, of, of, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &authority{t, writePEM(t, "CERTIFICATE", der), cert, key}
}

func writePEM(t *testing.T, kind string, der []byte) string {
	file := filepath.Join(t.TempDir(), "pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// server is a server with a certificate for an address, which ends at a time.
func (a *authority) server(ip string, end time.Time) *Server {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(2), IPAddresses: []net.IP{net.ParseIP(ip)}, NotBefore: time.Now().Add(-time.Hour), NotAfter: end}
	der, err := x509.CreateCertificate(rand.Reader, of, a.cert, &key.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	s, err := Start(ServerOptions{
		Listen: "127.0.0.1:0", Roster: Roster(a.t.TempDir()), Cert: writePEM(a.t, "CERTIFICATE", der), Key: writePEM(a.t, "PRIVATE KEY", secret), Log: quiet,
	})
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(s.Close)
	return s
}

// TestTLS: workers come in by TLS alone, and to a server alone whose certificate an authority that they trust has signed, for its address, and that is
// not expired. The error says why.
func TestTLS(t *testing.T) {
	t.Parallel()
	ours, other := newAuthority(t), newAuthority(t)
	later := time.Now().Add(time.Hour)
	fine := ours.server("127.0.0.1", later)
	f := front(t, fine) // in the process of the server
	i := enrol(t, fine, RoleWorker, "w1")
	plain := start(t)
	for about, test := range map[string]struct {
		s       *Server
		ca, url string
		want    string
	}{
		"no authority":    {fine, "", fine.URL(), "--cluster-ca names"},
		"another one":     {fine, other.file, fine.URL(), "--cluster-ca names"},
		"by nats://":      {fine, "", strings.Replace(fine.URL(), "tls://", "nats://", 1), "--cluster-ca names"},
		"expired":         {ours.server("127.0.0.1", time.Now().Add(-time.Minute)), ours.file, "", "expired"},
		"another address": {ours.server("127.0.0.2", later), ours.file, "", "not 127.0.0.1"},
		"no TLS":          {plain, ours.file, plain.URL(), "the server has no TLS"},
		"no TLS, tls://":  {plain, "", strings.Replace(plain.URL(), "nats://", "tls://", 1), "the server has no TLS"},
		"no file":         {fine, filepath.Join(t.TempDir(), "none"), fine.URL(), "no such file"},
	} {
		url := test.url
		if url == "" {
			url = test.s.URL()
		}
		conn, err := (&Link{URL: url, Identity: i, CA: test.ca}).Connect(quiet)
		if err == nil {
			conn.Close()
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", about, err, test.want)
		}
	}
	conn, err := (&Link{URL: fine.URL(), Identity: i, CA: ours.file}).Connect(quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if state, err := conn.TLSConnectionState(); err != nil || len(state.PeerCertificates) != 1 {
		t.Error(state, err)
	}
	work(t, conn, "w1", 2, honest)
	has(t, f, 2)
	if _, out, err := do(t, f); err != nil || out != "one\ntwo\n" {
		t.Errorf("%v, output %q", err, out)
	}
}

// TestListen: without a certificate the server listens at addresses of this machine alone.
func TestListen(t *testing.T) {
	for listen, want := range map[string]string{
		"0.0.0.0:0": "this machine alone", "10.1.2.3:0": "this machine alone", "[::]:0": "this machine alone", ":0": "want ADDRESS:PORT", "x": "want ADDRESS:PORT", "host:1": "want ADDRESS:PORT",
	} {
		if s, err := Start(ServerOptions{Listen: listen, Roster: Roster(t.TempDir()), Log: quiet}); err == nil {
			s.Close()
			t.Errorf("%q: it listens", listen)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", listen, err)
		}
	}
	none := filepath.Join(t.TempDir(), "none")
	if _, err := Start(ServerOptions{Listen: "127.0.0.1:0", Cert: none, Key: none, Log: quiet}); err == nil || !strings.Contains(err.Error(), "--cluster-tls-cert") {
		t.Error(err)
	}
}
