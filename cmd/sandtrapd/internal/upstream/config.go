package upstream

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A Config is what a file says of one server.
type Config struct {
	Name      string // of the Go package, and its import path
	Transport Transport
	Policies  []string // names of the policies that get the package; "*" is all

	Command  string // of a server over stdio
	Args     []string
	Env      []Value // all that the program gets
	MayStart bool    // leave to start the program

	URL      string // of a server over HTTP
	Headers  []Value
	Loopback bool // it is at a loopback address of this machine, and may have http

	Timeout   time.Duration // of a call
	MaxResult int64         // bytes of a result
	AtOnce    int           // calls of a tenant that go on at a time; the others wait
	Restarts  int           // how often the connection of a tenant is made within a minute
	Tenants   int           // that have a connection at a time

	Tools []Tool // sorted by name
}

// A Transport is how a server is spoken to.
type Transport string

// The transports.
const (
	Stdio Transport = "stdio"
	HTTP  Transport = "http"
)

// A Value is a variable of the environment or a header.
type Value struct {
	Name, Text string
	Secret     bool // it is from the environment of this process, or from a file
}

// A Tool is one that scripts may know.
type Tool struct {
	Name string
	Do   Action
	decide.Attributes
}

// An Action is what becomes of a call.
type Action string

// The actions.
const (
	Deny  Action = "deny"
	Ask   Action = "ask"
	Allow Action = "allow"
)

// The limits on a configuration.
const (
	maxServers = 64
	maxTools   = 1000 // of a server
	maxConfig  = 4 << 20
	maxSecret  = 64 << 10
)

// Read reads the file at a path. Secrets are taken from the environment and from files now. An error has the path and the line.
func Read(path string) ([]Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := Parse(io.LimitReader(f, maxConfig))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

// Parse reads a configuration.
func Parse(r io.Reader) (list []Config, err error) {
	err = policyfile.Document(r, "the configuration", func(name, value *yaml.Node) error {
		return policyfile.Known("the configuration", name, value, map[string]func(*yaml.Node) error{
			"servers": func(n *yaml.Node) error {
				return policyfile.Fields("servers", n, func(name, value *yaml.Node) error {
					c, err := server(name.Value, value)
					list = append(list, c)
					return err
				})
			},
		})
	})
	if len(list) > maxServers {
		err = errors.Join(err, fmt.Errorf("there are %d servers, and at most %d", len(list), maxServers))
	}
	return list, err
}

func server(name string, n *yaml.Node) (Config, error) {
	c := Config{Name: name, Timeout: 30 * time.Second, MaxResult: 1 << 20, AtOnce: 10, Restarts: 5, Tenants: 32}
	if err := checkName(name); err != nil {
		return c, err
	}
	what := "servers." + name
	keys := c.keys(what)
	err := policyfile.Fields(what, n, func(name, value *yaml.Node) error { return policyfile.Known(what, name, value, keys) })
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return c, fmt.Errorf("server %s: %w", name, err)
	}
	slices.SortFunc(c.Tools, func(a, b Tool) int { return strings.Compare(a.Name, b.Name) })
	return c, nil
}

func (c *Config) keys(what string) map[string]func(*yaml.Node) error {
	return map[string]func(*yaml.Node) error{
		"transport":  decodeTo(&c.Transport),
		"policies":   decodeTo(&c.Policies),
		"command":    decodeTo(&c.Command),
		"args":       decodeTo(&c.Args),
		"env":        values(what+".env", &c.Env, true),
		"may_start":  decodeTo(&c.MayStart),
		"url":        decodeTo(&c.URL),
		"headers":    values(what+".headers", &c.Headers, false),
		"loopback":   decodeTo(&c.Loopback),
		"timeout":    decodeTo(&c.Timeout),
		"max_result": policyfile.Size(&c.MaxResult),
		"at_once":    decodeTo(&c.AtOnce),
		"restarts":   decodeTo(&c.Restarts),
		"tenants":    decodeTo(&c.Tenants),
		"tools":      c.tools(what + ".tools"),
	}
}

// decodeTo reads one value or a list of them.
func decodeTo(to any) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		if err := n.Decode(to); err != nil {
			return errors.New(strings.TrimSpace(strings.TrimPrefix(err.Error(), "yaml: unmarshal errors:")))
		}
		return nil
	}
}

func (c *Config) tools(what string) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		c.Tools = []Tool{}
		return policyfile.Fields(what, n, func(name, value *yaml.Node) error {
			t := Tool{Name: name.Value, Do: Deny}
			what := what + "." + name.Value
			keys := map[string]func(*yaml.Node) error{
				"risk":     func(n *yaml.Node) error { return t.Risk.UnmarshalText([]byte(n.Value)) },
				"requires": decodeTo(&t.Requires),
				"do":       decodeTo(&t.Do),
			}
			if err := policyfile.Fields(what, value, func(name, value *yaml.Node) error { return policyfile.Known(what, name, value, keys) }); err != nil {
				return err
			}
			c.Tools = append(c.Tools, t)
			switch {
			case t.Risk == 0:
				return fmt.Errorf("%s: risk is missing: low, medium, high or critical", what)
			case t.Do != Deny && t.Do != Ask && t.Do != Allow:
				return fmt.Errorf("%s: do is %q; want allow, ask or deny", what, t.Do)
			}
			return nil
		})
	}
}
