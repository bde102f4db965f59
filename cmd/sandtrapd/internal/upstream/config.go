package upstream

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"maps"
	"net"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/sandtrap"
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

// values reads variables of the environment or headers: a text, if that may be, or an object that says where it comes from.
func values(what string, to *[]Value, text bool) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		return policyfile.Fields(what, n, func(name, value *yaml.Node) error {
			v, err := valueOf(what+"."+name.Value, value, text)
			v.Name = name.Value
			*to = append(*to, v)
			return err
		})
	}
}

func valueOf(what string, n *yaml.Node, text bool) (v Value, err error) {
	if n.Kind == yaml.ScalarNode {
		if v.Text = n.Value; !text {
			err = errors.New("headers come from the environment or from a file: {env: NAME} or {file: PATH}")
		}
		return v, err
	}
	var env, file, prefix string
	keys := map[string]func(*yaml.Node) error{"env": decodeTo(&env), "file": decodeTo(&file), "prefix": decodeTo(&prefix)}
	if err := policyfile.Fields(what, n, func(name, value *yaml.Node) error { return policyfile.Known(what, name, value, keys) }); err != nil {
		return v, err
	}
	switch {
	case (env == "") == (file == ""):
		return v, fmt.Errorf("%s: want env or file, and not both", what)
	case env != "":
		if v.Text = os.Getenv(env); v.Text == "" {
			return v, fmt.Errorf("%s: the variable %s of the environment is not set", what, env)
		}
	default:
		if v.Text, err = readSecret(file); err != nil {
			return v, fmt.Errorf("%s: %w", what, err)
		}
	}
	v.Text, v.Secret = prefix+v.Text, true
	return v, nil
}

func readSecret(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSecret))
	if err == nil && len(strings.TrimSpace(string(text))) == 0 {
		err = fmt.Errorf("%s is empty", path)
	}
	return strings.TrimSpace(string(text)), err
}

var packageName = regexp.MustCompile(`^[a-z][a-z0-9]{0,31}$`)

// checkName refuses names that cannot be those of a package, or that a script would miss then.
func checkName(name string) error {
	switch {
	case !packageName.MatchString(name):
		return fmt.Errorf("server %q: the name is that of a Go package: a to z and 0 to 9, at most 32, and first a letter", name)
	case token.IsKeyword(name) || types.Universe.Lookup(name) != nil || name == "main" || name == "init":
		return fmt.Errorf("server %q: that is a name of Go's own", name)
	case slices.ContainsFunc(sandtrap.StdDefault(), func(std string) bool { return path.Base(std) == name }):
		return fmt.Errorf("server %q: that is the name of a package of the standard library", name)
	}
	return nil
}

// check refuses what does not go together.
func (c *Config) check() error {
	bounds := map[string][2]int64{
		"timeout in milliseconds": {c.Timeout.Milliseconds(), 600_000}, "max_result": {c.MaxResult, 16 << 20}, "at_once": {int64(c.AtOnce), 100},
		"restarts": {int64(c.Restarts), 60}, "tenants": {int64(c.Tenants), 1000},
	}
	for _, name := range slices.Sorted(maps.Keys(bounds)) {
		if b := bounds[name]; b[0] < 1 || b[0] > b[1] {
			return fmt.Errorf("%s is %d; want 1 to %d", name, b[0], b[1])
		}
	}
	switch {
	case c.Tools == nil:
		return errors.New("the block tools is missing: list each tool that scripts may know, with its risk")
	case len(c.Tools) > maxTools:
		return fmt.Errorf("it has %d tools, and at most %d", len(c.Tools), maxTools)
	case len(c.Policies) == 0:
		return errors.New("policies is missing: the names of those that get the package")
	case c.Transport == Stdio:
		return c.checkStdio()
	case c.Transport == HTTP:
		return c.checkHTTP()
	}
	return fmt.Errorf("transport is %q; want stdio or http", c.Transport)
}

func (c *Config) checkStdio() error {
	switch {
	case c.Command == "":
		return errors.New("command is missing")
	case c.URL != "" || c.Headers != nil || c.Loopback:
		return errors.New("url, headers and loopback are for the transport http")
	}
	return nil
}

func (c *Config) checkHTTP() error {
	u, err := url.Parse(c.URL)
	switch {
	case c.Command != "" || c.Args != nil || c.Env != nil || c.MayStart:
		return errors.New("command, args, env and may_start are for the transport stdio")
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return errors.New("url: want https://HOST/PATH")
	case u.User != nil:
		return errors.New("url: it has a user or a password: use headers")
	case c.Loopback && !isLoopback(u.Hostname()):
		return errors.New("url: loopback is set, and the host is not a loopback address")
	case u.Scheme == "http" && !c.Loopback:
		return errors.New("url: want https; http is for a server on this machine, with loopback: true")
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
