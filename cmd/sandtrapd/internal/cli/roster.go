package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
)

const clusterUsage = `sandtrapd cluster says which workers and fronts the server of a data directory lets in. It takes effect within a second, without a restart.

  sandtrapd cluster add-worker NAME  write a key for a worker, NAME.key, and let it in
  sandtrapd cluster add-front NAME   the same for another "sandtrapd serve", which sees all runs
  sandtrapd cluster remove NAME      end its connection, and let it in no more
  sandtrapd cluster list             list those that are let in, with their public keys
  sandtrapd cluster status           show the workers of a server that runs, and the runs that wait

"sandtrapd cluster COMMAND -h" lists the flags of a command.
`

// cluster is the command about who is in a cluster.
func (c *call) cluster(args []string) error {
	if len(args) == 0 {
		args = []string{"help"}
	}
	switch args[0] {
	case "add-worker":
		return c.addMember(cluster.RoleWorker, args)
	case "add-front":
		return c.addMember(cluster.RoleFront, args)
	case "remove":
		return c.removeMember(args)
	case "list":
		return c.listMembers(args)
	case "status":
		return c.clusterStatus(args)
	case "help", "-h", "--help":
		fmt.Fprint(c.stdout, clusterUsage)
		return nil
	}
	fmt.Fprintf(c.stderr, "sandtrapd cluster: no command %q\n%s", args[0], clusterUsage)
	return errUsage
}

// member reads the flags of a command, and its NAME if it has one, which may stand before or behind them.
func (c *call) member(args []string, named bool, more func(*flag.FlagSet)) (name string, r cluster.Roster, err error) {
	var cfg config
	fs := flag.NewFlagSet("cluster "+args[0], flag.ContinueOnError)
	fs.SetOutput(c.stderr)
	fs.StringVar(&cfg.data, "data", "", "`directory` of the server (default: sandtrapd in the user's state directory)")
	more(fs)
	if args = args[1:]; named && len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		name, args = args[0], args[1:]
	}
	if err := parse(fs, args); err != nil {
		return "", "", err
	}
	rest := fs.Args()
	if named && name == "" && len(rest) > 0 {
		name, rest = rest[0], rest[1:]
	}
	switch {
	case named && name == "":
		return "", "", fmt.Errorf("%s takes a NAME", fs.Name())
	case len(rest) > 0:
		return "", "", fmt.Errorf("%s: %q is too much", fs.Name(), rest)
	}
	err = cfg.setData()
	return name, roster(cfg.data), err
}

// addMember makes a key, and has the server let it in.
func (c *call) addMember(role cluster.Role, args []string) error {
	var out string
	var external bool
	name, r, err := c.member(args, true, func(fs *flag.FlagSet) {
		fs.StringVar(&out, "out", "", "`file` for the key, which is made (default: NAME.key)")
		fs.BoolVar(&external, "external", false, "the key is for an external cluster, whose configuration is to have its public part")
	})
	if err != nil {
		return err
	}
	if !external && elsewhere(r) {
		return fmt.Errorf("the server of %s connects to a cluster elsewhere, so that nobody reads who it lets in, and no key was made: make it in the directory of the server with --cluster embedded, or, if the configuration of NATS is to have its public part, with --external", filepath.Dir(string(r)))
	}
	i, err := cluster.NewIdentity(role, name)
	if err != nil {
		return err
	}
	out = cmp.Or(out, name+".key")
	if err := i.Write(out); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: the file already exists, and stays as it is: --out names another one for the key", out)
	} else if err != nil {
		return fmt.Errorf("the key: %w", err)
	}
	if external {
		fmt.Fprintf(c.stdout, "%s: the key of the %s %s; the configuration of NATS is to have its public part, %s\n", out, role, name, i.Public())
		return nil
	}
	if err := r.Add(cluster.Entry{Name: name, Role: role, Public: i.Public()}); err != nil {
		return errors.Join(err, os.Remove(out))
	}
	fmt.Fprintf(c.stdout, "%s: the key of the %s %s, whose public part is %s\n", out, role, name, i.Public())
	return nil
}

// elsewhere reports that the server of a directory shares runs, and has had no server of NATS in its process: it does not read the roster.
func elsewhere(r cluster.Roster) bool {
	data := filepath.Dir(string(r))
	_, shares := os.Stat(filepath.Join(data, "server"))
	_, embeds := os.Stat(filepath.Join(data, "cluster"))
	return shares == nil && errors.Is(embeds, fs.ErrNotExist)
}

func (c *call) removeMember(args []string) error {
	name, r, err := c.member(args, true, func(*flag.FlagSet) {})
	if err != nil {
		return err
	}
	what := "key"
	list, _ := r.List() // one that is malformed is removed too
	if at := slices.IndexFunc(list, func(e cluster.Entry) bool { return e.Name == name }); at >= 0 {
		what = fmt.Sprintf("%s with the key %s", list[at].Role, list[at].Public)
	}
	if err := r.Remove(name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no worker or front %q in %s", name, r)
	} else if err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "%s: removed, the %s: the server lets it in no more, and ends its connection within a second\n", name, what)
	return nil
}

func (c *call) listMembers(args []string) error {
	_, r, err := c.member(args, false, func(*flag.FlagSet) {})
	if err != nil {
		return err
	}
	list, err := r.List()
	for _, e := range list {
		fmt.Fprintf(c.stdout, "%s\t%s\t%s\n", e.Role, e.Name, e.Public)
	}
	return err
}
