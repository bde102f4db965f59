package cli

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/clone"
)

// newCloner is the Cloner for a list of hosts, separated by commas.
func newCloner(hosts string, log *slog.Logger) (*clone.Cloner, error) {
	o := clone.Options{Log: log}
	for _, host := range strings.FieldsFunc(hosts, func(r rune) bool { return r == ',' }) {
		rule, err := clone.Host(strings.TrimSpace(host))
		if err != nil {
			return nil, fmt.Errorf("--clone-hosts: %q is not a host, such as github.com or *.example.com:8443", host)
		}
		o.Hosts = append(o.Hosts, rule)
	}
	return clone.New(o)
}
