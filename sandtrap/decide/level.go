package decide

import (
	"encoding"
	"fmt"
	"slices"
	"strings"
)

// A Risk is how much harm a call of a member can do. A member that declares one is closed until a guard opens it.
type Risk uint8

// The risks, in order.
const (
	NoRisk   Risk = iota // not declared
	Low                  // reads what is not secret
	Medium               // changes what can be undone
	High                 // changes what cannot be undone
	Critical             // spends money, or touches people or production
)

// A Class is how confidential the data is that a member handles. A member that declares one is closed until a guard opens it.
type Class uint8

// The classes, in order.
const (
	NoClass Class = iota // not declared
	Public
	Internal
	Confidential
	Restricted
)

var (
	riskNames  = []string{"", "low", "medium", "high", "critical"}
	classNames = []string{"", "public", "internal", "confidential", "restricted"}

	_ encoding.TextUnmarshaler = (*Risk)(nil)
	_ encoding.TextUnmarshaler = (*Class)(nil)
)

// String is the name in lower case, as policy files and records have it; empty for NoRisk.
func (r Risk) String() string { return levelName(riskNames, uint8(r)) }

// MarshalText writes the name.
func (r Risk) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the name. The error lists the names.
func (r *Risk) UnmarshalText(text []byte) error {
	n, err := levelNamed("risk", riskNames, string(text))
	*r = Risk(n)
	return err
}

// Valid reports that r is one of the risks.
func (r Risk) Valid() bool { return int(r) < len(riskNames) }

// String is the name in lower case, as policy files and records have it; empty for NoClass.
func (c Class) String() string { return levelName(classNames, uint8(c)) }

// MarshalText writes the name.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the name. The error lists the names.
func (c *Class) UnmarshalText(text []byte) error {
	n, err := levelNamed("class", classNames, string(text))
	*c = Class(n)
	return err
}

// Valid reports that c is one of the classes.
func (c Class) Valid() bool { return int(c) < len(classNames) }

func levelName(names []string, n uint8) string {
	if int(n) < len(names) {
		return names[n]
	}
	return fmt.Sprintf("level %d", n)
}

func levelNamed(what string, names []string, name string) (int, error) {
	if n := slices.Index(names, name); n > 0 {
		return n, nil
	}
	return 0, fmt.Errorf("no %s %q; there are %s", what, name, strings.Join(names[1:], ", "))
}
