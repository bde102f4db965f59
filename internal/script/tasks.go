package script

import "time"

// What waits, and what is done later, is data and no function, so that all of a run is
// found from one root.
type (
	// An Act is done once what it was left for has come.
	Act = interface{ Do() }
	// A Turn is asked whether the task that waits for it goes on.
	Turn = interface{ Take() bool }
	// Parked is a task that waits. It is gone when the run has ended before it did.
	Parked = interface {
		Ready()
		Gone() bool
	}
	// A Stopper ends what was to come, and reports that something was.
	Stopper = interface{ Stop() bool }
)

// Tasks is what functions of the host may do with the tasks of a run, on the goroutine
// that they were called on and before they return.
type Tasks interface {
	// Park has the task that called the function wait, from the function's return on,
	// until it is readied, once. why is Go's name for what it waits for. When its turn has
	// come turn is asked, if there is one; if it says no, the task stays parked, and may be
	// readied once more.
	Park(why string, turn Turn) Parked

	// Block returns when a task that was parked goes on, for functions that have
	// something left to do then. It costs a goroutine of the host.
	Block()

	// Body is f, the function of the script that the host was called with, for Go.
	Body(f func()) Act

	// Go starts a task that does what Body gave. end is done when it has ended, unless
	// that was by a panic.
	Go(body, end Act)

	// After has act done between two tasks in d, and again after each period if there is
	// one, until it is stopped. If it only sends to a channel, keep is what Own gave for
	// that: nobody who waits for something else waits for it.
	After(d, period time.Duration, act Act, keep any) Stopper

	// Own says that nothing but what is called on the goroutine of the tasks sends to the
	// channel ch, or closes it. That holds as long as keep is kept.
	Own(ch any) (keep any)

	// Look has the tasks that wait for ch, which is such a channel, look at it.
	Look(ch any)

	// Watch has act done between two tasks when a receive from ch, of whatever owner,
	// goes on.
	Watch(ch any, act Act) Stopper

	// Beside calls f on a goroutine of its own while other tasks go on, and returns, or
	// panics, as f does. It does not return if the run ends before; f is given up then. f
	// gets the number of the call: those of a run are numbered from 1, in their order.
	Beside(f func(call int))

	// Do calls f on the goroutine of the tasks, wherever it is called itself. After the
	// run it does nothing.
	Do(f func())

	// Fatal ends the run with Go's text for a misuse that no recover sees.
	Fatal(text string)
}
