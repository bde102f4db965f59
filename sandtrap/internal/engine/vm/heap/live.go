package heap

import (
	"math"
	"math/rand/v2"
	"slices"
	"weak"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/weakstring"
)

// Live estimates how many bytes a run holds. It follows a sample of what the run
// allocates: each byte charged has the same chance of making its allocation one of
// the sample, which then stands for sampleStep bytes until the collector has
// taken it. A script cannot tell which allocations are in the sample. Allocations of
// sampleStep and more are all in it, for what they are.
//
// What the host returns may share memory with other things, or be no allocation at all.
// Texts of it are followed by copies of those in the sample; the rest counts until the limit
// is reached. Then all of it counts for as much as the heap of the process holds that nobody
// has accounted for, if that is less.
type Live struct {
	samples []Sample
	sampled int64                          // what they stand for, but for those of the host's
	Loose   int64                          // what the host has made, and others that cannot be followed
	Hosts   int64                          // charged by host functions
	Ahead   ahead                          // of hosts, what may not be there yet
	early   struct{ loose, sampled int64 } // those of earlier turns
	Stacks  int64                          // of the host, under callbacks
	next    int64                          // bytes until the next sample
	Weight  int64                          // of the allocation that was paid for last, if it is one
	Limit   int64
	after   int64   // what the run held after the last collection
	kept    float64 // of what it had allocated until then since the one before, and a fourth of that; zero before the first
	unsure  int64   // bytes that may be loose until the heap of the process has to be looked at
	Heap    *engine.Heap
	meter   *gates.Meter
}

// A Sample is an allocation that is followed.
type Sample struct {
	At     interface{ gone() bool }
	Weight int64
	loose  bool // made by the host: its weight is part of live.loose
}

type Ref[T any] struct{ weak.Pointer[T] }

func (r Ref[T]) gone() bool { return r.Value() == nil }

const sampleStep = 32 << 10

func NewLive(h *engine.Heap) *Live {
	return &Live{next: rand.Int64N(sampleStep), Heap: h, Ahead: ahead{Base: NoCall}}
}

// gap is how far the next sample is. Gaps of a step's width around a step are not in time with what
// a script does, and of n samples the error is less than a third of what it is for those that are
// independent.
func gap() int64 { return sampleStep/2 + rand.Int64N(sampleStep) }

// Count notes an allocation of n bytes, of which follow is going to tell.
func (l *Live) Count(n int64) {
	if n >= sampleStep {
		l.Weight = n
		return
	}
	if l.next -= n; l.next >= 0 {
		return
	}
	for l.Weight = 0; l.next < 0; l.next += gap() {
		l.Weight += sampleStep
	}
}

func (l *Live) Add(s Sample) {
	l.samples = append(l.samples, s)
	if s.loose {
		l.Loose += s.Weight
	} else {
		l.know(s.Weight)
	}
	l.Weight = 0
}

// Charged is told of n bytes that a host function is about to make. Other runs are told
// at once, lest they take them for theirs.
func (l *Live) Charged(n int64) {
	l.Hosts += n
	if l.Ahead.Base == NoCall {
		l.Ahead.last = n
	}
	if l.Limit > 0 && n > l.Limit {
		return // the meter refuses them
	}
	l.Tell(n)
	l.Loose += n
	l.Heap.Take(l.Loose)
}

// Begins takes the meter of a turn.
func (l *Live) Begins(m *gates.Meter) {
	l.Limit, l.meter, l.Ahead = m.Limits().Memory, m, ahead{Base: NoCall}
	l.early.loose, l.early.sampled = l.Loose, l.sampled
	l.unsure = l.Loose + l.Limit/8
}

// Tell tells other runs what is loose. Before that and n bytes more become much, once, it finds
// out what is nobody's: later nobody could tell the two apart.
func (l *Live) Tell(n int64) {
	l.Heap.Take(l.Loose)
	if l.Limit == 0 || l.Loose+n <= l.unsure {
		return
	}
	l.unsure = math.MaxInt64
	engine.Collect(l.meter)
	l.Prune()
	l.Heap.Take(l.Loose)
	l.Heap.Compare()
}

func (l *Live) know(n int64) {
	l.sampled += n
	l.Heap.Know(n)
}

const copyMost = 1 << 20 // bytes of a text of the host's that are copied to be followed

// Returned is a text of n bytes that a host function has made, for which it had paid bytes
// charged already. One in the sample is copied: its memory might be that of a larger one, or
// of the program.
func (l *Live) Returned(s string, n, paid int64) string {
	if n > copyMost || s == "" {
		l.Loose += n - paid
		return s
	}
	l.Loose = max(0, l.Loose-paid) + l.Weight // of what was allocated before, and not told of
	l.Weight = 0
	if l.Count(n); l.Weight == 0 {
		return s
	}
	s, at := weakstring.Own([]byte(s))
	l.Add(Sample{Ref[byte]{at}, l.Weight, true})
	return s
}

// Prune drops the samples that the collector has taken.
func (l *Live) Prune() {
	l.samples = slices.DeleteFunc(l.samples, func(s Sample) bool {
		switch {
		case !s.At.gone():
			return false
		case s.loose:
			l.Loose = max(0, l.Loose-s.Weight)
		default:
			l.know(-s.Weight)
		}
		return true
	})
}

// settle brings what is loose down to what the heap of the process has of it, or the heap profile where
// others hold too much to tell, and what may not be there yet.
func (l *Live) settle(coming, ahead, enough int64) {
	l.Heap.Take(l.Loose)
	l.lower(l.Heap.Loose() + ahead)
	if l.counted()+coming <= enough {
		return
	}
	if n, ok := engine.Beneath(l.meter); ok {
		l.lower(l.early.loose + max(0, n-max(0, l.sampled-l.early.sampled)) + ahead)
	}
}

// lower says that n bytes are loose, at most, if those that are followed are not more.
func (l *Live) lower(n int64) {
	if n = max(n, l.followed()); n < l.Loose {
		l.Loose, l.early.loose = n, min(l.early.loose, n)
	}
	l.Heap.Take(l.Loose)
}

// followed is what the samples stand for that are part of what is loose.
func (l *Live) followed() (n int64) {
	for _, s := range l.samples {
		if s.loose {
			n += s.Weight
		}
	}
	return n
}

// Tiny is the size below which arrays without pointers share their memory with others.
const Tiny = 16

// Now is what the run holds, and what the collector has not taken yet.
func (l *Live) Now() int64 { return l.sampled + l.Loose + l.Stacks }

// Held is what the run holds when it wants so many bytes more, without what it has borrowed. It
// collects before it says that this is too much, or borrows. What is within a sixteenth of the limit
// is: the next collection would come soon, and gain little.
func (l *Live) Held(coming int64) int64 {
	enough := l.Limit - l.Limit/16
	ahead := l.Ahead.take(l.Hosts)
	l.Prune()
	if l.counted()+coming > enough && !l.borrow(coming, enough) {
		l.collect()
	}
	if l.counted()+coming > enough {
		l.settle(coming, ahead, enough)
	}
	if n := l.counted(); n <= enough {
		return n
	}
	return l.Limit + 1
}

// counted is what the run holds beyond what it has borrowed.
func (l *Live) counted() int64 { return l.Now() - l.Heap.Borrowed() }

// borrow lets the run go on without a collection if it holds enough at most even so, where of all
// that it allocates it goes on to keep a fourth more than the last collection has found, and a fourth
// at least.
func (l *Live) borrow(coming, enough int64) bool {
	since := l.Now() + coming - l.after
	return l.kept > 0 && l.after+int64(float64(since)*l.kept) <= enough && l.Heap.Borrow(l.counted()+coming-enough)
}

// collect finds out what is garbage.
func (l *Live) collect() {
	before := l.Now()
	engine.Collect(l.meter)
	l.Heap.Repay()
	l.Prune()
	l.kept = max(1./4, 5./4*float64(l.Now()-l.after)/float64(max(1, before-l.after)))
	l.after = l.Now()
}
