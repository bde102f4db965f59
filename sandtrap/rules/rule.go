package rules

// An Action is how a rule answers a call.
type Action string

// The actions.
const (
	Block  Action = "block"  // the call is refused; after the call, its results are withheld
	Ask    Action = "ask"    // the call needs approval; before the call only
	Warn   Action = "warn"   // the call is made, and the host is told
	Remind Action = "remind" // the call is made, and the script is told
)

// A Rule is about the calls of some members. It has the same form in Go, YAML and JSON.
type Rule struct {
	// Name is unique among the rules of a list. Without one, the name of a built-in rule is used.
	Name string `json:"name,omitempty" yaml:"name,omitempty"`

	// Use is the name of a built-in rule, and With its settings; see [BuiltIns]. On, Do and Text replace those of the built-in
	// rule where they are given; conditions and examples are added to it.
	Use  string         `json:"use,omitempty" yaml:"use,omitempty"`
	With map[string]any `json:"with,omitempty" yaml:"with,omitempty"`

	// On are patterns of members: "sendMail", "mail.Send", "file.write", and "mail.*", where * is any text.
	On []string `json:"on,omitempty" yaml:"on,omitempty"`

	// After is for rules that look at the results of a call.
	After bool `json:"after,omitempty" yaml:"after,omitempty"`

	// When are the conditions, which all must hold. Without one the rule fires at each call.
	When []Condition `json:"when,omitempty" yaml:"when,omitempty"`

	// Do is the answer. A rule without one only tracks.
	Do Action `json:"do,omitempty" yaml:"do,omitempty"`

	// Text says why, and what to do instead. In it {path} is the argument of the parameter path, quoted and shortened, and
	// {member} the member; {{ is a brace.
	Text string `json:"text,omitempty" yaml:"text,omitempty"`

	// Track keeps the state that conditions ask for.
	Track []Track `json:"track,omitempty" yaml:"track,omitempty"`

	// Match are calls for which the rule has to fire, NoMatch calls for which it must not: Compile tries them.
	Match   []Example `json:"match,omitempty" yaml:"match,omitempty"`
	NoMatch []Example `json:"nomatch,omitempty" yaml:"nomatch,omitempty"`
}

// A Condition is about a value of a call, or about the state. All keys that are given must hold.
type Condition struct {
	// Param is the value that the condition is about: the name of a parameter, and of fields and keys of maps in it:
	// "path", "opts.Mode", "headers.Host". Elements of slices and maps are "to[]" or "to[].Address", with Each. Results are
	// "return" or "return.0" for the first one, "return.1" for the second, in rules and tracks with After.
	Param string `json:"param,omitempty" yaml:"param,omitempty"`

	// Each is "any" if it is enough that the condition holds for an element of Param, "all" if it must hold for each one.
	Each string `json:"each,omitempty" yaml:"each,omitempty"`

	// Conditions on the value, and Base, the directory that relative paths are in. docs/rules.md says of each key when it holds.
	Path    []string `json:"path,omitempty" yaml:"path,omitempty"`
	Base    string   `json:"base,omitempty" yaml:"base,omitempty"`
	URL     []string `json:"url,omitempty" yaml:"url,omitempty"`
	Equals  any      `json:"equals,omitempty" yaml:"equals,omitempty"`
	In      []any    `json:"in,omitempty" yaml:"in,omitempty"`
	NotIn   []any    `json:"not_in,omitempty" yaml:"not_in,omitempty"`
	Range   *Range   `json:"range,omitempty" yaml:"range,omitempty"`
	Length  *Range   `json:"length,omitempty" yaml:"length,omitempty"`
	Regexp  string   `json:"regexp,omitempty" yaml:"regexp,omitempty"`
	Prefix  []string `json:"prefix,omitempty" yaml:"prefix,omitempty"`
	Suffix  []string `json:"suffix,omitempty" yaml:"suffix,omitempty"`
	Command *Command `json:"command,omitempty" yaml:"command,omitempty"`
	Nil     *bool    `json:"nil,omitempty" yaml:"nil,omitempty"`
	Seen    string   `json:"seen,omitempty" yaml:"seen,omitempty"`
	NotSeen string   `json:"not_seen,omitempty" yaml:"not_seen,omitempty"`

	// Conditions on the state, and on the error that the call returned.
	Count *Count `json:"count,omitempty" yaml:"count,omitempty"`
	Flag  string `json:"flag,omitempty" yaml:"flag,omitempty"`
	Error string `json:"error,omitempty" yaml:"error,omitempty"`

	// Conditions on conditions.
	All []Condition `json:"all,omitempty" yaml:"all,omitempty"`
	Any []Condition `json:"any,omitempty" yaml:"any,omitempty"`
	Not *Condition  `json:"not,omitempty" yaml:"not,omitempty"`
}

// A Range has bounds, which belong to it; one may be left out. They are numbers, or texts: "1.5", and "90s" for a
// time.Duration. Whole numbers beyond 2^53 are written as texts, since JSON decoders round them.
type Range struct {
	Min any `json:"min,omitempty" yaml:"min,omitempty"`
	Max any `json:"max,omitempty" yaml:"max,omitempty"`
}

// A Count is about a counter of the state: it is Min or more, and Max or less.
type Count struct {
	Of  string `json:"of" yaml:"of"`
	Min *int64 `json:"min,omitempty" yaml:"min,omitempty"`
	Max *int64 `json:"max,omitempty" yaml:"max,omitempty"`
}

// A Command is about an argument vector. It is made for what is to be stopped, and matches more forms than one: not for lists
// of what is allowed, which are made with Prefix.
type Command struct {
	// Words are in the vector in this order, options aside; the path of a program counts for nothing: "rm" is in
	// ["sudo", "/bin/rm", "-r", "x"].
	Words []string `json:"words,omitempty" yaml:"words,omitempty"`

	// Options are groups, of which each needs one option: [["-r", "-R", "--recursive"], ["-f", "--force"]]. The vector may
	// have short options together, -fr, and long ones shortened, --rec, or with a value, --force=yes.
	Options [][]string `json:"options,omitempty" yaml:"options,omitempty"`
}

// A Track changes the state when a member is called. What it adds and counts before a call, it does not if the call is
// blocked by a rule.
type Track struct {
	On    []string    `json:"on,omitempty" yaml:"on,omitempty"` // patterns of members; those of the rule, if empty
	After bool        `json:"after,omitempty" yaml:"after,omitempty"`
	When  []Condition `json:"when,omitempty" yaml:"when,omitempty"` // all must be known to hold; Count counts unless they are known not to hold

	Add   *Add     `json:"add,omitempty" yaml:"add,omitempty"`     // a value to a set
	Count string   `json:"count,omitempty" yaml:"count,omitempty"` // a counter, by one
	Raise string   `json:"raise,omitempty" yaml:"raise,omitempty"` // a flag
	Reset []string `json:"reset,omitempty" yaml:"reset,omitempty"` // counters become 0, flags are lowered, sets are emptied
}

// An Add adds the value of a parameter to a set of the state.
type Add struct {
	Set   string `json:"set" yaml:"set"`
	Param string `json:"param" yaml:"param"`                   // as in Condition; each element of "to[]" is added
	As    string `json:"as,omitempty" yaml:"as,omitempty"`     // "path" or "url": forms of the same one are one value
	Base  string `json:"base,omitempty" yaml:"base,omitempty"` // of relative paths
}

// An Example is a call.
type Example struct {
	Member  string         `json:"member,omitempty" yaml:"member,omitempty"`   // may be left out if the rule has one member
	Args    map[string]any `json:"args,omitempty" yaml:"args,omitempty"`       // by parameter, as encoding/json reads them; others are zero
	Results []any          `json:"results,omitempty" yaml:"results,omitempty"` // likewise, for rules with After
	Error   string         `json:"error,omitempty" yaml:"error,omitempty"`     // the text of the last result

	Sets   map[string][]any `json:"sets,omitempty" yaml:"sets,omitempty"` // the state before the call
	Counts map[string]int64 `json:"counts,omitempty" yaml:"counts,omitempty"`
	Flags  []string         `json:"flags,omitempty" yaml:"flags,omitempty"`
}
