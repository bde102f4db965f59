package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/internal/plaintext"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress/proxy"
)

const egressHelp = `sandtrap egress --listen unix:PATH [--policy FILE] [--net RULE] [flags]

Serves child programs of a host with the network that rules allow: an HTTP proxy on a unix socket, for
processes of this user that show a token. docs/network.md explains it. Prints the socket and the tokens,
and on stderr each request that is refused. Runs until an interrupt, SIGTERM, or the end of --ttl; then all
tunnels end, and the socket is removed. Linux only.

  --listen unix:PATH   the socket, a file that is not there yet; its mode is 0600
  --policy FILE        a policy file; its key network is what counts here
  --net RULE           allows requests: METHOD,... URL, with globs, and the words loopback and
                       private; CONNECT https://HOST allows tunnels, which https needs; --net public
                       allows all public hosts (repeatable)
  --run NAME           a token for this run, with limits of its own (repeatable; default: one token)
  --tenant NAME        whose runs they are
  --ttl TIME           how long the tokens are valid (default 1h)
  --json               {"socket": ..., "tokens": [{"run": ..., "token": ...}]}

Exit codes: 0 it has ended; 5 it cannot listen; 64 wrong use.
`

// An egressCommand is what egress is told.
type egressCommand struct {
	listen, tenant string
	file           *policyfile.File
	runs           []string
	ttl            time.Duration
}

// A jsonEgress is what egress --json prints.
type jsonEgress struct {
	Socket string      `json:"socket"`
	Tokens []jsonToken `json:"tokens"`
}

type jsonToken struct {
	Run   string `json:"run"`
	Token string `json:"token"`
}

// egress serves child programs until it is told to end.
func (c *call) egress(args []string) int {
	o, err := c.egressFlags(args)
	if err != nil {
		return c.usage(err)
	}
	gate, err := o.file.Gate(egress.Options{Observe: c.showRefused})
	switch {
	case err != nil:
		return c.usage(err)
	case gate == nil:
		return c.usage(errors.New("egress needs --net, or a policy file with the key network: this allows nothing"))
	}
	defer gate.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server, err := proxy.Listen(o.listen, gate, proxy.Options{})
	if err != nil {
		fmt.Fprintf(c.stderr, "sandtrap: %s\n", plaintext.Line(err.Error()))
		return exitInternal
	}
	defer server.Close()
	ctx, cancel := context.WithTimeout(ctx, o.ttl)
	defer cancel()
	out := jsonEgress{Socket: o.listen}
	for _, run := range o.runs {
		grant, err := server.Grant(decide.Subject{Tenant: o.tenant, Run: run}, o.ttl)
		if err != nil {
			return c.usage(err)
		}
		out.Tokens = append(out.Tokens, jsonToken{run, grant.Token()})
	}
	if c.json {
		c.printObject(out, exitOK)
	} else {
		fmt.Fprintf(c.stdout, "socket %s\n", plaintext.Line(out.Socket))
		for _, t := range out.Tokens {
			fmt.Fprintf(c.stdout, "token %s %s\n", t.Token, plaintext.Line(t.Run))
		}
	}
	<-ctx.Done()
	return exitOK
}

// egressFlags reads the flags.
func (c *call) egressFlags(args []string) (*egressCommand, error) {
	o := &egressCommand{file: newOptions().file}
	if path := flagAhead("policy", args); path != "" {
		if err := o.file.Read(path); err != nil {
			return nil, err
		}
	}
	flags := newFlags("egress")
	flags.Bool("json", false, "") // Main has found it
	flags.Func("listen", "", func(s string) error {
		path, ok := strings.CutPrefix(s, "unix:")
		if !ok || path == "" {
			return errors.New("want unix:PATH")
		}
		o.listen = path
		return nil
	})
	flags.Func("policy", "", func(string) error { return nil }) // read before
	flags.Func("net", "", func(s string) error { return o.file.AddNetwork(s, "--net") })
	flags.Func("run", "", func(s string) error {
		if s == "" || slices.Contains(o.runs, s) {
			return errors.New("want a name that no other run has")
		}
		o.runs = append(o.runs, s)
		return nil
	})
	flags.StringVar(&o.tenant, "tenant", "", "")
	flags.DurationVar(&o.ttl, "ttl", time.Hour, "")
	if err := flags.Parse(args); err != nil {
		return nil, c.explainFlag(err, flags, "egress")
	}
	switch {
	case flags.NArg() > 0:
		return nil, fmt.Errorf("egress takes no argument %q", flags.Arg(0))
	case o.listen == "":
		return nil, errors.New("egress needs --listen unix:PATH")
	case o.ttl <= 0:
		return nil, errors.New("--ttl is a time above 0")
	}
	if _, err := os.Lstat(o.listen); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--listen: %s is there; remove it if nothing listens", o.listen)
	}
	if len(o.runs) == 0 {
		o.runs = []string{""}
	}
	return o, nil
}

// showRefused prints a request that is refused.
func (c *call) showRefused(e egress.Event) {
	if e.Denied != nil {
		fmt.Fprintf(c.stderr, "sandtrap: %s\n", plaintext.Line(strings.TrimSpace(e.Run+" "+e.Denied.Error())))
	}
}
