package upstream

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"net"
	"net/url"
	"path"
	"regexp"
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

var packageName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9]{0,31}$`) })

// checkName refuses names that cannot be those of a package, or that a script would miss then.
func checkName(name string) error {
	switch {
	case !packageName().MatchString(name):
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
