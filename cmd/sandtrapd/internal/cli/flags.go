package cli

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// flags has the flags of serve, which doctor checks.
func (cfg *config) flags(fs *flag.FlagSet) {
	fs.StringVar(&cfg.listen, "listen", "127.0.0.1:8080", "`address` to listen at")
	fs.StringVar(&cfg.keys, "keys", "", "`file` with keys: lines of token@tenant:role, or sha256:HASH@tenant:role")
	fs.StringVar(&cfg.limits, "limits", "", "`file` with limits of tenants, in YAML or JSON")
	fs.StringVar(&cfg.data, "data", "", "`directory` for all that is kept (default: sandtrapd in the user's state directory)")
	fs.StringVar((*string)(&cfg.isolation), "isolation", string(sandtrap.Kernel), "kernel, process or none")
	fs.BoolVar(&cfg.allowDegraded, "allow-degraded", false, "run even if this machine lacks layers of the isolation")
	cfg.retention(fs)
	cfg.cluster.flags(fs)
	fs.Func("host", "a `name` of this server that the header Host may have, besides localhost and addresses; can be given more than once", cfg.addHost)
	fs.StringVar(&cfg.policies, "policies", "", "`directory` with policy files: NAME.yaml is the policy NAME, tenants.yaml says who may use which")
	fs.StringVar(&cfg.otlp, "otlp", "", "`URL` of an OpenTelemetry collector, as http://127.0.0.1:4318; without it, and without OTEL_EXPORTER_OTLP_ENDPOINT, nothing is sent")
	fs.StringVar(&cfg.upstream, "upstream", "", "`file` of MCP servers whose tools scripts can call; see docs/upstream.md")
	cfg.grace = 10 * time.Second
	fs.Func("grace", "how long runs may go on after SIGTERM, as 30s; a `duration` (default 10s)", func(text string) (err error) {
		if cfg.grace, err = time.ParseDuration(text); err != nil || cfg.grace < 0 {
			return errors.New("want a time of 0 or more, as 30s")
		}
		return nil
	})
	fs.StringVar(&cfg.cloneHosts, "clone-hosts", "", "`hosts` that git repositories are cloned from, by https, separated by commas: github.com,*.example.com:8443")
}

// addHost adds a name that the header Host may have. It has no port there.
func (cfg *config) addHost(name string) error {
	if name == "" || len(name) > 253 || strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_')
	}) {
		return errors.New("want the name of a host, as sandtrap.example.com, without https:// and a port")
	}
	cfg.hosts = append(cfg.hosts, strings.ToLower(name))
	return nil
}

// address is the URL of the server that listens at l, for clients on this machine. One that others reach too is a warning.
func address(l net.Listener, log *slog.Logger) string {
	at, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil {
		return "http://" + l.Addr().String()
	}
	if !at.Addr().Unmap().IsLoopback() {
		log.Warn("other machines can reach the server, and HTTP shows them keys and scripts on the way: put a proxy with TLS before it", "listen", l.Addr())
	}
	if at.Addr().IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d", at.Port())
	}
	return "http://" + at.String()
}
