package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/client"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
)

// keyVariable is the variable of the environment with the key of commands that ask a server: arguments would show it to other users.
const keyVariable = "SANDTRAPD_KEY"

// askWithin bounds how long a command waits for a server: somebody looks at it, and what the server says is of use also where it is that it cannot answer.
const askWithin = 5 * time.Second

// clusterStatus asks a server for its workers.
func (c *call) clusterStatus(args []string) error {
	fs := flag.NewFlagSet("cluster status", flag.ContinueOnError)
	fs.SetOutput(c.stderr)
	server := fs.String("server", "http://127.0.0.1:8080", "`URL` of the server; a key of it with the role operator is in the variable "+keyVariable)
	if err := parse(fs, args[1:]); err != nil {
		return err
	}
	key := os.Getenv(keyVariable)
	switch {
	case fs.NArg() > 0:
		return fmt.Errorf("cluster status takes no arguments, got %q", fs.Args())
	case key == "":
		return errors.New("the variable " + keyVariable + " is empty: want a key of the server with the role operator")
	}
	ctx, cancel := context.WithTimeout(context.Background(), askWithin)
	defer cancel()
	v, err := (&client.Client{URL: *server, Key: key, HTTP: &http.Client{Transport: onlyOnce{}}}).Cluster(ctx)
	if err != nil {
		return statusError(*server, err)
	}
	if err := printCluster(c.stdout, v); err != nil {
		return err
	}
	if v.CutOff != "" {
		return fmt.Errorf("the server does not reach its cluster: %s", word(v.CutOff))
	}
	return nil
}

// An onlyOnce makes requests whose responses ask for no other try.
type onlyOnce struct{}

func (onlyOnce) RoundTrip(q *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(q)
	if err == nil {
		res.Header.Del("Retry-After")
	}
	return res, err
}

// statusError says of an error what may be done about it.
func statusError(server string, err error) error {
	p, answered := errors.AsType[*client.Problem](err)
	switch {
	case !answered && errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s does not answer within %s", redacted(server), askWithin)
	case !answered:
		return err
	case p.Status == http.StatusUnauthorized:
		return fmt.Errorf("%w: the key in %s is none of %s", err, keyVariable, redacted(server))
	case p.Status == http.StatusForbidden:
		return fmt.Errorf("%w: the status of the cluster needs a key with the role operator or admin in %s", err, keyVariable)
	case p.Code == "cluster":
		return fmt.Errorf("%w: the server takes keys of its file --keys alone meanwhile, and the one in %s is none of these", err, keyVariable)
	}
	return err
}

// redacted is a URL without a password.
func redacted(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "the server"
	}
	return u.Redacted()
}

// printCluster prints what a server knows of its workers. What they say of themselves is quoted where it could be more than a word.
func printCluster(out io.Writer, v *client.Cluster) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if v.Mode == "none" {
		fmt.Fprintln(w, "cluster: none. The process of the server does all runs; \"sandtrapd serve --cluster\" has workers do them.")
	} else {
		fmt.Fprintf(w, "cluster: %s, %s, %s, %s sent to another worker\n", word(v.Mode), count(len(v.Servers), "server"), count(len(v.Workers), "worker"), count(int(v.Again), "run"))
	}
	if v.CutOff != "" {
		fmt.Fprintf(w, "NOT REACHED: %s; what follows is what the server has heard before\n", word(v.CutOff))
	}
	if len(v.Servers) > 0 {
		fmt.Fprintln(w, "\nSERVER\tSESSIONS\tSEEN\tVERSION\tID")
	}
	for _, one := range v.Servers {
		own := ""
		if one.Own {
			own = ", which answers"
		}
		fmt.Fprintf(w, "%s\t%d\t%s ago\t%s\t%s%s\n", word(cmp.Or(one.Name, "-")), one.Sessions, age(one.SeenMS), word(one.Version), word(one.ID), own)
	}
	fmt.Fprintln(w, "\nQUEUE\tTURNS\tWAITING\tOLDEST")
	for _, q := range v.Queues {
		oldest := "-"
		if len(q.Tenants) > 0 {
			oldest = age(q.Tenants[0].OldestMS)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\n", word(q.Name), q.Turns, q.Waiting, oldest)
		for _, t := range q.Tenants {
			fmt.Fprintf(w, "  %s\t\t%d\t%s\n", word(t.Tenant), t.Waiting, age(t.OldestMS))
		}
	}
	if len(v.Workers) > 0 {
		fmt.Fprintln(w, "\nWORKER\tSLOTS\tRUNNING\tSEEN\tISOLATION\tVERSION\tGETS NO RUNS BECAUSE")
	}
	for _, one := range v.Workers {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s ago\t%s\t%s\t%s\n", workerName(v.Mode, one.Name), one.Slots, one.Running, age(one.SeenMS), word(one.Isolation), word(one.Version), word(one.Unfit))
	}
	return w.Flush()
}

// workerName is a worker as the status has it. Events of runs have the name alone.
func workerName(mode, name string) string {
	switch {
	case name != cluster.SelfName:
		return word(name)
	case mode == embedded:
		return "this server (" + name + ")"
	}
	return "the embedded server (" + name + ")"
}

// count is how many things there are of a kind.
func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

func age(ms int64) string { return (time.Duration(ms) * time.Millisecond).String() }

// word is a text as a terminal may get it.
func word(text string) string {
	for _, r := range text {
		if !strconv.IsPrint(r) {
			return strconv.Quote(text)
		}
	}
	return text
}
