package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// network opens the network of the policy files and flags of o.
func (o *options) network() error {
	gate, err := o.file.Gate(egress.Options{Observe: o.refusals.Observe})
	if err != nil || gate == nil {
		return err
	}
	if o.policy.Engine == "yaegi" {
		return errors.New("engine yaegi has no network: leave out --net and the key network, or use engine vm")
	}
	o.gate, o.policy.Network = gate, gate
	return nil
}

// printRefused prints refused requests, but for those that the script has printed or ended with.
func (c *call) printRefused(list []*decide.Denied, res *sandtrap.Result) {
	told := res.Stdout + res.Stderr
	for _, e := range res.Echo {
		told += e.Text
	}
	if res.Error != nil {
		told += res.Error.Message
	}
	for _, d := range list {
		if text := d.Error(); !strings.Contains(told, text) {
			fmt.Fprintln(c.stderr, c.paint(dim, "refused: "+printable(text)))
		}
	}
}
