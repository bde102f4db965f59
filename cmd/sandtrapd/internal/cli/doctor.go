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
	"github.com/sandtrap-go/sandtrap/internal/filelock"
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
	data, dataErr := cfg.inspectData(ctx)
	cfg.beside = errors.Is(dataErr, filelock.ErrLocked)
	if cfg.beside {
		dataErr = leftOut("another process has " + cfg.data + ", as a server that runs, and its database is that one's alone")
	}
	shared, end := cfg.clusterChecks(ctx)
	defer end()
	list := append([]check{{"data", func() (string, error) { return "fine: " + data, dataErr }}}, cfg.checks(ctx)...)
	for _, check := range append(list, shared...) {
		detail, err := check.do()
		if _, left := errors.AsType[leftOut](err); left {
			detail = err.Error()
		} else if err != nil {
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

// A leftOut is why a check was left out. It is no failure: nothing says that something is wrong.
type leftOut string

func (l leftOut) Error() string { return "left out: " + string(l) }

// inspectData says what is in the data directory.
func (cfg *config) inspectData(ctx context.Context) (string, error) {
	if err := cfg.setData(); err != nil {
		return "", err
	}
	return store.Inspect(ctx, cfg.data)
}

// free is about an address that serve listens at. Beside a server that runs it is not known whose it is.
func (cfg *config) free(at string) (string, error) {
	if cfg.beside {
		return "", leftOut("whether " + at + " is free, as the process that has the data directory may listen there")
	}
	return "fine: at " + at + ", if it is free", nil
}

func (cfg *config) checks(ctx context.Context) []check {
	return []check{
		{"isolation", func() (string, error) {
			_, err := cfg.probe(ctx)
			return "fine: " + string(cfg.isolation), err
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
			return fmt.Sprintf("fine: %s in %s, of which none was started", count(len(list), "server"), cfg.upstream), err
		}},
		{"clone", func() (string, error) {
			c, err := newCloner(cfg.cloneHosts, slog.New(slog.DiscardHandler))
			if err != nil {
				return "", err
			}
			return "fine: " + cmp.Or(cfg.cloneHosts, "no hosts, so nothing is cloned"), c.Close()
		}},
		{"listen", func() (string, error) {
			if _, err := net.ResolveTCPAddr("tcp", cfg.listen); err != nil {
				return "", err
			}
			return cfg.free(cfg.listen)
		}},
	}
}
