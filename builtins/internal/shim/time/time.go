package time

import (
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// A script's local time zone is UTC: the host's would tell where it is.

func TimeNow(e *shim.Env) func() time.Time { return func() time.Time { return e.Now().UTC() } }

func TimeSince(e *shim.Env) func(time.Time) time.Duration {
	return func(t time.Time) time.Duration { return e.Now().Sub(t) }
}

func TimeUntil(e *shim.Env) func(time.Time) time.Duration {
	return func(t time.Time) time.Duration { return t.Sub(e.Now()) }
}

func TimeSleep(e *shim.Env) func(time.Duration) {
	if e.Gates == nil {
		return time.Sleep
	}
	return e.Gates.Sleep
}

func TimeUnix(*shim.Env) func(sec, nsec int64) time.Time {
	return func(sec, nsec int64) time.Time { return time.Unix(sec, nsec).UTC() }
}

func TimeUnixMilli(*shim.Env) func(int64) time.Time {
	return func(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
}

func TimeUnixMicro(*shim.Env) func(int64) time.Time {
	return func(us int64) time.Time { return time.UnixMicro(us).UTC() }
}

func TimeParse(e *shim.Env) func(layout, value string) (time.Time, error) {
	return func(layout, value string) (time.Time, error) {
		return TimeParseInLocation(e)(layout, value, time.UTC)
	}
}

// layoutRate is a rate for PayText, layoutTimes how much longer than its layout a text
// may be.
const (
	layoutRate  = 60
	layoutTimes = 3
	timeCopies  = shim.Quoted + 2 // of a text, its part and both quoted, in an error
	longZone    = 100             // the name of a zone that is longer than those there are
)

func TimeParseInLocation(e *shim.Env) func(layout, value string, loc *time.Location) (time.Time, error) {
	return func(layout, value string, loc *time.Location) (time.Time, error) {
		e.PayText(layoutRate, len(layout))
		e.PayCopies(timeCopies, len(layout)+len(value))
		return time.ParseInLocation(layout, value, loc)
	}
}

// payLayout asks for the text that a long layout makes, or one with long names of zones.
func payLayout(e *shim.Env, t time.Time, layout string) {
	if n := shim.ZoneText(t); n > longZone {
		n *= strings.Count(layout, "MST")
		e.Charge(int64(n))
		e.PayText(layoutRate, n)
	}
	if len(layout) >= shim.LargeText {
		e.PayText(layoutRate, len(layout))
		e.ChargeProduct(int64(len(layout)), layoutTimes)
	}
}

func TimeFormat(e *shim.Env) func(time.Time, string) string {
	return func(t time.Time, layout string) string {
		payLayout(e, t, layout)
		return t.Format(layout)
	}
}

func TimeAppendFormat(e *shim.Env) func(time.Time, []byte, string) []byte {
	return func(t time.Time, b []byte, layout string) []byte {
		payLayout(e, t, layout)
		return t.AppendFormat(b, layout)
	}
}

func TimeLocal(*shim.Env) *time.Location { return time.UTC }

func TimeTimeLocal(*shim.Env) func(time.Time) time.Time { return time.Time.UTC }

func TimeUnmarshalText(e *shim.Env) func(*time.Time, []byte) error {
	return func(t *time.Time, data []byte) error {
		e.PayCopies(timeCopies, len(data))
		err := t.UnmarshalText(data)
		*t = zoneOnly(*t)
		return err
	}
}

func TimeUnmarshalJSON(e *shim.Env) func(*time.Time, []byte) error {
	return func(t *time.Time, data []byte) error {
		e.PayCopies(timeCopies, len(data))
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
