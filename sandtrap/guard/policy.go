// Package guard decides about each call of a host member while a script runs: a fixed chain of gates, rules about arguments,
// approval by a person, and the host's own policy engine.
//
// It may not run scripts or know an engine: package sandtrap asks it before each call.
package guard

import (
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// A Policy says which calls of members may be made while a script runs. It is the Guard of a sandtrap.Policy. Members
// that declare nothing, and that nothing here names, are open and cost nothing.
//
// Each call passes the gates in the order of decide.Codes, and the first one that refuses it is the reason. The zero Policy
// refuses all calls of members that declare a risk, a permission or a class.
//
// Lists of members are patterns: a name ("sendMail", "file.write", "example.com/mail.Send" by the path of the package), or a
// beginning of one and a * ("example.com/mail.*"). A pattern that fits no member is an error, but for "*".
//
// As a tightening of another Policy, by (*sandtrap.Plan).Tighten, it only refuses: a field that is not set refuses nothing there.
// Its own Approver is asked for it, or else that of the plan. A Budget or a Record that the plan has already is not used twice.
type Policy struct {
	// Inactive refuses all calls.
	Inactive bool

	// Packages are patterns of import paths: members of other packages are refused. Members without a package, and files, are
	// not concerned. Nil is all packages.
	Packages []string

	// Hidden members are not for scripts.
	Hidden []string

	// MaxRisk is the highest risk of members that may be called without a Grant.
	MaxRisk decide.Risk

	// Permissions are what members may require.
	Permissions []string

	// Deny goes before Ask, Ask before Grants, Grants before Default. Calls of members in Ask need approval, each one unless
	// an answer was for all of them.
	Deny, Ask []string
	Grants    []Grant

	// Default is for members that declare a risk and that are in none of these lists; "" is AskByDefault.
	Default Default

	// MaxClass is the highest class of data that members may handle.
	MaxClass decide.Class

	// Rules are about the arguments and results of calls, and about those before them in the session.
	Rules []rules.Rule

	// Rates are the numbers of calls in 60 seconds, together for all members that the pattern fits: "*" is all of them. They
	// apply to all runs of a plan together, as does Rate of a member, unless Counts says otherwise. Calls that are refused do not count.
	Rates map[string]int

	// Budget is what calls may cost together, by the Cost of their members. Plans may share it. Without one, members that
	// have a cost are refused.
	Budget *Budget

	// Counts, if not nil, gives what Rates, the Rate of members and Budget are counted by for a run, such as the same for all runs of a
	// tenant, and of all plans: then they are limits of each. Nil from it is what is counted for all runs of the plan.
	Counts func(decide.Subject) *Counts

	// Approver is asked about calls that need approval. Without one they are refused.
	Approver decide.Approver

	// AskTimeout is how long a call waits for approval before it is refused, an hour at most; 0 is five minutes. After an hour
	// without an answer in all, or a hundred such questions, a run asks no more.
	AskTimeout time.Duration

	// Decider, if not nil, may refuse calls that all gates allow.
	Decider decide.Decider

	// Record, if not nil, gets an event for each call of a member that is a function, for each operation on files that is
	// decided, and for the begin and the end of runs. If it fails the call is refused and the run ends, unless RecordMayFail is set.
	Record        record.Sink
	RecordMayFail bool

	// DecideTimeout is how long a call waits for the Decider before it is refused; 0 is ten seconds.
	DecideTimeout time.Duration
}

// Rehearsal is p for a run in which nothing is done, as those of package dryrun: it decides as p does, with a budget of its own, which
// has what is left of that of p now, and records nothing. Its rates begin anew.
func (p *Policy) Rehearsal() decide.Guard {
	r := *p
	r.Budget, r.Counts, r.Record = p.Budget.left(), nil, nil
	return &r
}

// A Grant opens members, whatever risk they declare. It gives no permissions, and does not open a class of data.
type Grant struct {
	Members []string
	Reason  string // why, for records
}

// Default is a decision about members that no list has.
type Default string

// The defaults.
const (
	AskByDefault   Default = "ask"
	AllowByDefault Default = "allow"
	DenyByDefault  Default = "deny"
)

const (
	defaultAskTimeout    = 5 * time.Minute
	longestAskTimeout    = time.Hour
	defaultDecideTimeout = 10 * time.Second
)
