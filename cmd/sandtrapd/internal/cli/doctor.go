package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"

	"github.com/sandtrap-go/sandtrap/cmd/internal/doctor"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/upstream"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// doctor says what the machine has of each isolation, and whether serve would start with the same flags. It changes nothing.
func (c *call) doctor(args []string) error {
	cfg := config{}
	fs := flag.NewFlagSet("doctor", flag.ContinueOnError)
	fs.SetOutput(c.stderr)
	cfg.flags(fs)
	if err := parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("doctor takes no arguments, got %q", fs.Args())
	}
	ctx := context.Background()
	for _, mode := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process, sandtrap.Kernel} {
		doctor.Diagnose(ctx, mode).Print(c.stdout)
	}
	bad := 0
	shared, end := cfg.clusterChecks(ctx)
	defer end()
	for _, check := range append(cfg.checks(ctx), shared...) {
		detail, err := check.do()
		if err != nil {
			bad++
			detail = "not fine: " + err.Error()
		}
		fmt.Fprintf(c.stdout, "%-9s %s\n", check.name, detail)
	}
	if bad > 0 {
		return errors.New("serve would not start with these flags, or not do all that it is to")
	}
	return nil
}

// A check is one of what serve needs.
type check struct {
	name string
	do   func() (string, error)
}

func (cfg *config) checks(ctx context.Context) []check {
	return []check{
		{"isolation", func() (string, error) {
			_, err := cfg.probe(ctx)
			return "fine: " + string(cfg.isolation), err
		}},
		{"data", func() (string, error) {
			if err := cfg.setData(); err != nil {
				return "", err
			}
			text, err := store.Inspect(ctx, cfg.data)
			return "fine: " + text, err
		}},
		{"keys", func() (string, error) {
			list, err := cfg.fileKeys()
			if cfg.keys == "" {
				return "fine: no file; those in the data directory, or a first one that serve makes", nil
			}
			return fmt.Sprintf("fine: %d in %s", len(list), cfg.keys), err
		}},
		{"limits", func() (string, error) {
			_, err := cfg.table()
			if cfg.limits == "" {
				return "fine: no file, so the default ones", nil
			}
			return "fine: " + cfg.limits, err
		}},
		{"policies", func() (string, error) {
			if cfg.policies == "" {
				return "fine: no directory, so those of the program and those that are sent", nil
			}
			_, err := policies.Open(cfg.policies, nil)
			return "fine: " + cfg.policies, err
		}},
		{"upstream", func() (string, error) {
			if cfg.upstream == "" {
				return "fine: no file", nil
			}
			list, err := upstream.Read(cfg.upstream)
			return fmt.Sprintf("fine: %d servers in %s, which were not started", len(list), cfg.upstream), err
		}},
		{"clone", func() (string, error) {
			c, err := newCloner(cfg.cloneHosts, slog.New(slog.DiscardHandler))
			if err != nil {
				return "", err
			}
			return "fine: " + cmp.Or(cfg.cloneHosts, "no hosts, so nothing is cloned"), c.Close()
		}},
		{"listen", func() (string, error) {
			_, err := net.ResolveTCPAddr("tcp", cfg.listen)
			return "fine: " + cfg.listen + ", if it is free", err
		}},
	}
}
