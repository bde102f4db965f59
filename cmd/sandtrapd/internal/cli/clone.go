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
			return nil, fmt.Errorf("--clone-hosts: %w", err)
		}
		o.Hosts = append(o.Hosts, rule)
	}
	return clone.New(o)
}
