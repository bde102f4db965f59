package heap

import "math"

// ahead is what host functions have charged of memory that may not be there yet: most charge before
// they allocate, and some for one text in many parts. A collection cannot tell that this is gone.
type ahead struct {
	Base  int64 // of live.hosts, when the call began that is going on; NoCall if there is none
	outer int64 // by calls that have called back
	last  int64 // by the last charge, if it was in no call
}

const NoCall = math.MaxInt64

// take is what may not be there yet, of so many bytes that host functions have charged.
func (a *ahead) take(hosts int64) int64 {
	last := a.last
	a.last = 0
	return max(last, a.outer+max(0, hosts-a.Base))
}

// Stepped comes between two steps of a call that is made of many: what it has charged so far is there,
// or gone.
func (l *Live) Stepped() {
	if l.Ahead.Base != NoCall {
		l.Ahead.Base = l.Hosts
	}
}

// CalledBack comes when the call that is going on calls the script. It gives what returned is to be
// given when the script's function has ended.
func (l *Live) CalledBack() (paid int64) {
	if l.Ahead.Base == NoCall {
		return -1
	}
	paid = l.Hosts - l.Ahead.Base
	l.Ahead.outer += paid
	l.Ahead.Base = NoCall
	return paid
}

// GoesOn comes when a function of the script has ended that a call of the host has called.
func (l *Live) GoesOn(paid int64) {
	l.Ahead.Base = NoCall
	if paid >= 0 {
		l.Ahead.outer -= paid
		l.Ahead.Base = l.Hosts - paid
	}
}
