package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/client"
)

// keyVariable is the variable of the environment with the key of commands that ask a server: arguments would show it to other users.
const keyVariable = "SANDTRAPD_KEY"

// askWithin bounds how long a command waits for a server.
const askWithin = 30 * time.Second

// clusterStatus asks a server for its workers.
func (c *call) clusterStatus(args []string) error {
	fs := flag.NewFlagSet("cluster status", flag.ContinueOnError)
	fs.SetOutput(c.stderr)
	url := fs.String("server", "http://127.0.0.1:8080", "`URL` of the server; a key of it with the role operator is in the variable "+keyVariable)
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
	v, err := (&client.Client{URL: *url, Key: key}).Cluster(ctx)
	if err != nil {
		return err
	}
	if err := printCluster(c.stdout, v); err != nil {
		return err
	}
	if v.CutOff != "" {
		return fmt.Errorf("the server does not reach its cluster: %s", word(v.CutOff))
	}
	return nil
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
		fmt.Fprintf(w, "%s\t%d\t%d\t%s ago\t%s\t%s\t%s\n", word(one.Name), one.Slots, one.Running, age(one.SeenMS), word(one.Isolation), word(one.Version), word(one.Unfit))
	}
	return w.Flush()
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
