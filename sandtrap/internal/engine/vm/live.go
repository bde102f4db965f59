package vm

import (
	"math"
	"math/rand/v2"
	"slices"
	"weak"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/weaktext"
)

// live estimates how many bytes a run holds. It follows a sample of what the run
// allocates: each byte charged has the same chance of making its allocation one of
// the sample, which then stands for sampleStep bytes until the collector has
// taken it. A script cannot tell which allocations are in the sample. Allocations of
// sampleStep and more are all in it, for what they are.
//
// What the host returns may share memory with other things, or be no allocation at all.
// Texts of it are followed by copies of those in the sample; the rest counts until the limit
// is reached. Then all of it counts for as much as the heap of the process holds that nobody
// has accounted for, if that is less.
type live struct {
	samples []sample
	sampled int64                          // what they stand for, but for those of the host's
	loose   int64                          // what the host has made, and others that cannot be followed
	hosts   int64                          // charged by host functions
	ahead   ahead                          // of hosts, what may not be there yet
	early   struct{ loose, sampled int64 } // those of earlier turns
	stacks  int64                          // of the host, under callbacks
	next    int64                          // bytes until the next sample
	weight  int64                          // of the allocation that was paid for last, if it is one
	limit   int64
	after   int64   // what the run held after the last collection
	kept    float64 // of what it had allocated until then since the one before, and a fourth of that; zero before the first
	unsure  int64   // bytes that may be loose until the heap of the process has to be looked at
	heap    *engine.Heap
	meter   *gates.Meter
}

// A sample is an allocation that is followed.
type sample struct {
	at     interface{ gone() bool }
	weight int64
	loose  bool // made by the host: its weight is part of live.loose
}

type ref[T any] struct{ weak.Pointer[T] }

func (r ref[T]) gone() bool { return r.Value() == nil }

const sampleStep = 32 << 10

func newLive(h *engine.Heap) *live {
	return &live{next: rand.Int64N(sampleStep), heap: h, ahead: ahead{base: noCall}}
}

// gap is how far the next sample is. Gaps of a step's width around a step are not in time with what
// a script does, and of n samples the error is less than a third of what it is for those that are
// independent.
func gap() int64 { return sampleStep/2 + rand.Int64N(sampleStep) }

// count notes an allocation of n bytes, of which follow is going to tell.
func (l *live) count(n int64) {
	if n >= sampleStep {
		l.weight = n
		return
	}
	if l.next -= n; l.next >= 0 {
		return
	}
	for l.weight = 0; l.next < 0; l.next += gap() {
		l.weight += sampleStep
	}
}

func (l *live) add(s sample) {
	l.samples = append(l.samples, s)
	if s.loose {
		l.loose += s.weight
	} else {
		l.know(s.weight)
	}
	l.weight = 0
}

// charged is told of n bytes that a host function is about to make. Other runs are told
// at once, lest they take them for theirs.
func (l *live) charged(n int64) {
	l.hosts += n
	if l.ahead.base == noCall {
		l.ahead.last = n
	}
	if l.limit > 0 && n > l.limit {
		return // the meter refuses them
	}
	l.tell(n)
	l.loose += n
	l.heap.Take(l.loose)
}

// begins takes the meter of a turn.
func (l *live) begins(m *gates.Meter) {
	l.limit, l.meter, l.ahead = m.Limits().Memory, m, ahead{base: noCall}
	l.early.loose, l.early.sampled = l.loose, l.sampled
	l.unsure = l.loose + l.limit/8
}

// tell tells other runs what is loose. Before that and n bytes more become much, once, it finds
// out what is nobody's: later nobody could tell the two apart.
func (l *live) tell(n int64) {
	l.heap.Take(l.loose)
	if l.limit == 0 || l.loose+n <= l.unsure {
		return
	}
	l.unsure = math.MaxInt64
	engine.Collect(l.meter)
	l.prune()
	l.heap.Take(l.loose)
	l.heap.Compare()
}

func (l *live) know(n int64) {
	l.sampled += n
	l.heap.Know(n)
}

const copyMost = 1 << 20 // bytes of a text of the host's that are copied to be followed

// returned is a text of n bytes that a host function has made, for which it had paid bytes
// charged already. One in the sample is copied: its memory might be that of a larger one, or
// of the program.
func (l *live) returned(s string, n, paid int64) string {
	if n > copyMost || s == "" {
		l.loose += n - paid
		return s
	}
	l.loose = max(0, l.loose-paid) + l.weight // of what was allocated before, and not told of
	l.weight = 0
	if l.count(n); l.weight == 0 {
		return s
	}
	s, at := weaktext.Own([]byte(s))
	l.add(sample{ref[byte]{at}, l.weight, true})
	return s
}

// prune drops the samples that the collector has taken.
func (l *live) prune() {
	l.samples = slices.DeleteFunc(l.samples, func(s sample) bool {
		switch {
		case !s.at.gone():
			return false
		case s.loose:
			l.loose = max(0, l.loose-s.weight)
		default:
			l.know(-s.weight)
		}
		return true
	})
}

// settle brings what is loose down to what the heap of the process has of it, or the heap profile where
// others hold too much to tell, and what may not be there yet.
func (l *live) settle(coming, ahead, enough int64) {
	l.heap.Take(l.loose)
	l.lower(l.heap.Loose() + ahead)
	if l.counted()+coming <= enough {
		return
	}
	if n, ok := engine.Beneath(l.meter); ok {
		l.lower(l.early.loose + max(0, n-max(0, l.sampled-l.early.sampled)) + ahead)
	}
}

// lower says that n bytes are loose, at most, if those that are followed are not more.
func (l *live) lower(n int64) {
	if n = max(n, l.followed()); n < l.loose {
		l.loose, l.early.loose = n, min(l.early.loose, n)
	}
	l.heap.Take(l.loose)
}

// followed is what the samples stand for that are part of what is loose.
func (l *live) followed() (n int64) {
	for _, s := range l.samples {
		if s.loose {
			n += s.weight
		}
	}
	return n
}

// tiny is the size below which arrays without pointers share their memory with others.
const tiny = 16

// now is what the run holds, and what the collector has not taken yet.
func (l *live) now() int64 { return l.sampled + l.loose + l.stacks }

// held is what the run holds when it wants so many bytes more, without what it has borrowed. It
// collects before it says that this is too much, or borrows. What is within a sixteenth of the limit
// is: the next collection would come soon, and gain little.
func (l *live) held(coming int64) int64 {
	enough := l.limit - l.limit/16
	ahead := l.ahead.take(l.hosts)
	l.prune()
	if l.counted()+coming > enough && !l.borrow(coming, enough) {
		l.collect()
	}
	if l.counted()+coming > enough {
		l.settle(coming, ahead, enough)
	}
	if n := l.counted(); n <= enough {
		return n
	}
	return l.limit + 1
}

// counted is what the run holds beyond what it has borrowed.
func (l *live) counted() int64 { return l.now() - l.heap.Borrowed() }

// borrow lets the run go on without a collection if it holds enough at most even so, where of all
// that it allocates it goes on to keep a fourth more than the last collection has found, and a fourth
// at least.
func (l *live) borrow(coming, enough int64) bool {
	since := l.now() + coming - l.after
	return l.kept > 0 && l.after+int64(float64(since)*l.kept) <= enough && l.heap.Borrow(l.counted()+coming-enough)
}

// collect finds out what is garbage.
func (l *live) collect() {
	before := l.now()
	engine.Collect(l.meter)
	l.heap.Repay()
	l.prune()
	l.kept = max(1./4, 5./4*float64(l.now()-l.after)/float64(max(1, before-l.after)))
	l.after = l.now()
}
