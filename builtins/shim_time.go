package builtins

import (
	"strings"
	"time"
)

// A script's local time zone is UTC: the host's would tell where it is.

func timeNow(e *Env) func() time.Time { return func() time.Time { return e.now().UTC() } }

func timeSince(e *Env) func(time.Time) time.Duration {
	return func(t time.Time) time.Duration { return e.now().Sub(t) }
}

func timeUntil(e *Env) func(time.Time) time.Duration {
	return func(t time.Time) time.Duration { return t.Sub(e.now()) }
}

func timeSleep(e *Env) func(time.Duration) {
	if e.Gates == nil {
		return time.Sleep
	}
	return e.Gates.Sleep
}

func timeUnix(*Env) func(sec, nsec int64) time.Time {
	return func(sec, nsec int64) time.Time { return time.Unix(sec, nsec).UTC() }
}

func timeUnixMilli(*Env) func(int64) time.Time {
	return func(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
}

func timeUnixMicro(*Env) func(int64) time.Time {
	return func(us int64) time.Time { return time.UnixMicro(us).UTC() }
}

func timeParse(e *Env) func(layout, value string) (time.Time, error) {
	return func(layout, value string) (time.Time, error) {
		return timeParseInLocation(e)(layout, value, time.UTC)
	}
}

// layoutRate is a rate for payText, layoutTimes how much longer than its layout a text
// may be.
const (
	layoutRate  = 60
	layoutTimes = 3
	timeCopies  = quoted + 2 // of a text, its part and both quoted, in an error
	longZone    = 100        // the name of a zone that is longer than those there are
)

func timeParseInLocation(e *Env) func(layout, value string, loc *time.Location) (time.Time, error) {
	return func(layout, value string, loc *time.Location) (time.Time, error) {
		e.payText(layoutRate, len(layout))
		e.payCopies(timeCopies, len(layout)+len(value))
		return time.ParseInLocation(layout, value, loc)
	}
}

// payLayout asks for the text that a long layout makes, or one with long names of zones.
func (e *Env) payLayout(t time.Time, layout string) {
	if n := zoneText(t); n > longZone {
		n *= strings.Count(layout, "MST")
		e.charge(int64(n))
		e.payText(layoutRate, n)
	}
	if len(layout) >= largeText {
		e.payText(layoutRate, len(layout))
		e.chargeProduct(int64(len(layout)), layoutTimes)
	}
}

func timeFormat(e *Env) func(time.Time, string) string {
	return func(t time.Time, layout string) string {
		e.payLayout(t, layout)
		return t.Format(layout)
	}
}

func timeAppendFormat(e *Env) func(time.Time, []byte, string) []byte {
	return func(t time.Time, b []byte, layout string) []byte {
		e.payLayout(t, layout)
		return t.AppendFormat(b, layout)
	}
}

func timeLocal(*Env) *time.Location { return time.UTC }

func timeTimeLocal(*Env) func(time.Time) time.Time { return time.Time.UTC }

func timeUnmarshalText(e *Env) func(*time.Time, []byte) error {
	return func(t *time.Time, data []byte) error {
		e.payCopies(timeCopies, len(data))
		err := t.UnmarshalText(data)
		*t = zoneOnly(*t)
		return err
	}
}

func timeUnmarshalJSON(e *Env) func(*time.Time, []byte) error {
	return func(t *time.Time, data []byte) error {
		e.payCopies(timeCopies, len(data))
		err := t.UnmarshalJSON(data)
		*t = zoneOnly(*t)
		return err
	}
}

// zoneOnly gives a time in the host's zone a zone that has its offset and no
// name.
func zoneOnly(t time.Time) time.Time {
	if t.Location() != time.Local {
		return t
	}
	if _, offset := t.Zone(); offset != 0 {
		return t.In(time.FixedZone("", offset))
	}
	return t.UTC()
}
