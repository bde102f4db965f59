package policyfile

import (
	"flag"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Limit is one of those of a policy, for all that the command does with it.
type Limit struct {
	Key  string // in policy files
	Flag string // without the dashes; none if it is empty
	Like string // a value
	Help string // lines of it
	Zero string // says what 0 means
	Of   func(*sandtrap.Limits) flag.Value
}

const unlimited = "no limit"

// Limits are all limits, in the order of policy files.
var Limits = []Limit{
	{"timeout", "timeout", "5s", "wall-clock time", unlimited, func(l *sandtrap.Limits) flag.Value { return (*timeout)(&l.Timeout) }},
	{"host_time", "", "10s", "time in functions of the host that does not count for timeout", "none", func(l *sandtrap.Limits) flag.Value { return (*span)(&l.HostTime) }},
	{"ticks", "ticks", "N", "loop iterations and calls (default: no limit)", unlimited, func(l *sandtrap.Limits) flag.Value { return (*count)(&l.Ticks) }},
	{"memory", "memory", "256MiB", "memory of the script", unlimited, func(l *sandtrap.Limits) flag.Value { return (*memory)(&l.Memory) }},
	{"alloc", "alloc", "10GiB", "total bytes that the script allocates, freed or not\n(default: no limit)", unlimited, func(l *sandtrap.Limits) flag.Value { return (*size)(&l.Alloc) }},
	{"cpu", "cpu", "N", "isolation kernel only: average number of processors, such as 0.5\n(default: no limit)", unlimited, func(l *sandtrap.Limits) flag.Value { return (*processors)(&l.CPU) }},
	{"read_rate", "read-rate", "8MiB", "isolation kernel only: bytes a second that a worker reads from\na disk below --allow-path (default: no limit)", unlimited, func(l *sandtrap.Limits) flag.Value { return (*size)(&l.ReadRate) }},
	{"output", "max-output", "1MiB", "bytes of stdout, and of stderr, to keep; the end is kept", unlimited, func(l *sandtrap.Limits) flag.Value { return (*size)(&l.Output) }},
	{"artifacts", "", "1MiB", "bytes in all, of artifact(name, data)", "none", func(l *sandtrap.Limits) flag.Value { return (*size)(&l.Artifacts) }},
	{"tasks", "max-tasks", "N", "goroutines (default: no limit)", unlimited, func(l *sandtrap.Limits) flag.Value { return (*number)(&l.Tasks) }},
	{"depth", "max-depth", "N", "nested calls (default: that of the engine)", "that of the engine", func(l *sandtrap.Limits) flag.Value { return (*number)(&l.Depth) }},
	{"source", "", "65536", "bytes of the source", "256 KiB", func(l *sandtrap.Limits) flag.Value { return (*number)(&l.Source) }},
	{"nesting", "", "100", "nesting of the source", "200", func(l *sandtrap.Limits) flag.Value { return (*number)(&l.Nesting) }},
}

// limitKeys are those of limits.
func limitKeys(of *sandtrap.Limits) (keys []key) {
	for _, l := range Limits {
		doc := strings.ReplaceAll(strings.ReplaceAll(l.Help, " (default: no limit)", ""), "\n(default: no limit)", "")
		doc = strings.ReplaceAll(doc, "\n", " ") + "; 0: " + l.Zero
		like := l.Like
		if like == "N" { // in the help of flags
			like = "100"
		}
		keys = append(keys, key{l.Key, like, doc, scalarKey(l.Of(of).Set)})
	}
	return keys
}

// Text is the limit of these, with what 0 means.
func (l *Limit) Text(of *sandtrap.Limits) string {
	text := l.Of(of).String()
	if text == "0" {
		text = l.Zero
	}
	return text
}

// LimitsText is the value of the key limits.
func LimitsText(of *sandtrap.Limits) string {
	var b strings.Builder
	for _, l := range Limits {
		text := l.Of(of).String()
		if text == "0" {
			text += " # " + l.Zero
		}
		fmt.Fprintf(&b, "  %s: %s\n", l.Key, text)
	}
	return b.String()
}

// The kinds of limits read and write themselves; 0 is no limit, or the default.
type (
	timeout    time.Duration
	span       time.Duration
	count      int64
	size       int64
	memory     int64
	number     int
	processors float64
)

func (d *timeout) Set(s string) error {
	if err := (*span)(d).Set(s); err != nil {
		return err
	}
	if *d == 0 {
		*d = timeout(sandtrap.Forever)
	}
	return nil
}

func (d *timeout) String() string {
	if time.Duration(*d) == sandtrap.Forever {
		return "0"
	}
	return time.Duration(*d).String()
}

func (d *span) Set(s string) error {
	v, err := time.ParseDuration(s)
	switch {
	case err != nil:
		return fmt.Errorf("want a duration such as 5s, 300ms or 0")
	case v < 0:
		return fmt.Errorf("a limit cannot be negative")
	}
	*d = span(v)
	return nil
}

func (d *span) String() string {
	if *d == 0 {
		return "0"
	}
	return time.Duration(*d).String()
}

func (n *count) Set(s string) error {
	v, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 10, 64)
	if err != nil {
		return fmt.Errorf("want a number")
	}
	if v < 0 {
		return fmt.Errorf("a limit cannot be negative")
	}
	*n = count(v)
	return nil
}

func (n *count) String() string { return fmt.Sprint(int64(*n)) }

func (n *number) Set(s string) error {
	var c count
	if err := c.Set(s); err != nil {
		return err
	}
	if c > math.MaxInt32 {
		return fmt.Errorf("too large")
	}
	*n = number(c)
	return nil
}

func (n *number) String() string { return fmt.Sprint(int(*n)) }

// Set reads numbers such as 2, 0.5 and 1.5.
func (p *processors) Set(s string) error {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n < 0 || math.IsNaN(n) || math.IsInf(n, 0) || strings.ContainsAny(s, "xXpPeE_") {
		return fmt.Errorf("want a number of processors such as 2 or 0.5")
	}
	*p = processors(n)
	return nil
}

func (p *processors) String() string { return fmt.Sprint(float64(*p)) }

func (n *memory) Set(s string) error {
	err := (*size)(n).Set(s)
	if *n == 0 {
		*n = math.MaxInt64
	}
	return err
}

func (n *memory) String() string {
	if *n == math.MaxInt64 {
		return "0"
	}
	return (*size)(n).String()
}

func (n *size) Set(s string) error { return parseSize(s, (*int64)(n)) }

func (n *size) String() string {
	if *n == 0 {
		return "0"
	}
	return SizeText(int64(*n))
}
