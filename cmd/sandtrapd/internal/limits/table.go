package limits

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/cmd/internal/trustedfile"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
)

// Limits are those of a tenant. 0 is nothing at all.
type Limits struct {
	RunsAtOnce        int   `yaml:"runs_at_once"`         // that go on, or wait for their turn
	RunsPerMinute     int   `yaml:"runs_per_minute"`      // that begin
	RunSecondsPerHour int   `yaml:"run_seconds_per_hour"` // that runs take, in the last 60 minutes
	Bytes             int64 `yaml:"bytes"`                // that are kept: of runs, their journals, events and artifacts, and of sessions
	PendingRuns       int   `yaml:"pending_runs"`         // that wait for answers, or can come to that
}

// Default is for tenants that no file has limits for. It keeps a client that has gone wrong from filling the disk, and leaves one
// tenant the whole machine.
func Default() Limits {
	return Limits{RunsAtOnce: 2000, RunsPerMinute: 60_000, RunSecondsPerHour: 2 * 3600 * runtime.GOMAXPROCS(0), Bytes: 10 << 30, PendingRuns: 10_000}
}

// A Table is the limits of all tenants.
type Table struct {
	others  Limits
	tenants map[string]Limits
}

// Of is the limits of a tenant.
func (t *Table) Of(tenant string) Limits {
	if l, ok := t.tenants[tenant]; ok {
		return l
	}
	return t.others
}

// Read reads a file of limits, which nobody else may change.
func Read(path string) (*Table, error) {
	text, err := trustedfile.Read(path)
	if err != nil {
		return nil, fmt.Errorf("the limits: %w", err)
	}
	return Parse(path, text)
}

// Parse reads limits in YAML, or JSON, which is YAML too. Under default are those of each tenant; under tenants, by name, are those
// that one has instead. The error has the line.
func Parse(name string, text []byte) (*Table, error) {
	t := &Table{others: Default(), tenants: map[string]Limits{}}
	var file struct {
		Default yaml.Node            `yaml:"default"`
		Tenants map[string]yaml.Node `yaml:"tenants"`
	}
	if err := decode(text, &file); err != nil {
		return nil, failed(name, 0, err)
	}
	if err := t.others.read(&file.Default); err != nil {
		return nil, failed(name, file.Default.Line, err)
	}
	for tenant, node := range file.Tenants {
		if err := keys.Check(tenant, keys.User); err != nil {
			return nil, failed(name, node.Line, fmt.Errorf("%.80q: %w", tenant, err))
		}
		l := t.others
		if err := l.read(&node); err != nil {
			return nil, failed(name, node.Line, err)
		}
		t.tenants[tenant] = l
	}
	return t, nil
}

// decode reads one document without fields that are not known.
func decode(text []byte, to any) error {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	err := dec.Decode(to)
	if e, ok := errors.AsType[*yaml.TypeError](err); ok && !strings.Contains(e.Errors[0], "already defined") { // it names types of Go
		line, _, _ := strings.Cut(e.Errors[0], ":")
		return fmt.Errorf("%s: want the keys default, with limits, and tenants, with limits by tenant", line)
	}
	if err != nil && err != io.EOF { // only comments
		return err
	}
	if err := dec.Decode(new(yaml.Node)); err != io.EOF {
		return errors.Join(errors.New("want one document"), err)
	}
	return nil
}

// read sets what node names.
func (l *Limits) read(node *yaml.Node) error {
	if node.IsZero() {
		return nil
	}
	if node.Kind != yaml.MappingNode {
		return errors.New("want limits by their names")
	}
	fields := map[string]*int{"runs_at_once": &l.RunsAtOnce, "runs_per_minute": &l.RunsPerMinute, "run_seconds_per_hour": &l.RunSecondsPerHour, "pending_runs": &l.PendingRuns}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if seen[key.Value] {
			return fmt.Errorf("line %d: %s is there twice", key.Line, key.Value)
		}
		seen[key.Value] = true
		var err error
		negative := false
		if key.Value == "bytes" {
			err = value.Decode(&l.Bytes)
			negative = l.Bytes < 0
		} else if to := fields[key.Value]; to != nil {
			err = value.Decode(to)
			negative = *to < 0
		} else {
			return fmt.Errorf("line %d: no limit %.80q; there are runs_at_once, runs_per_minute, run_seconds_per_hour, bytes, pending_runs", key.Line, key.Value)
		}
		if err != nil || negative || value.ShortTag() != "!!int" {
			return fmt.Errorf("line %d: %s: want a number, 0 or more", key.Line, key.Value)
		}
	}
	return nil
}

// failed is an error with the file, and the line unless it has one.
func failed(name string, line int, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if line > 0 && !strings.HasPrefix(text, "line ") {
		return fmt.Errorf("%s: line %d: %s", name, line, text)
	}
	return fmt.Errorf("%s: %s", name, text)
}
