package builtins

import "time"

// A script's local time zone is UTC: the host's would tell where it is.

func timeNow(e *Env) func() time.Time { return func() time.Time { return e.now().UTC() } }

func timeSince(e *Env) func(time.Time) time.Duration {
	return func(t time.Time) time.Duration { return e.now().Sub(t) }
}

func timeUntil(e *Env) func(time.Time) time.Duration {
	return func(t time.Time) time.Duration { return t.Sub(e.now()) }
}

func timeSleep(e *Env) func(time.Duration) {
	if e.Sleep != nil {
		return e.Sleep
	}
	return func(d time.Duration) {
		for end := time.Now().Add(d); ; {
			e.check()
			left := time.Until(end)
			if left <= 0 {
				return
			}
			time.Sleep(min(left, time.Millisecond))
		}
	}
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

func timeParse(*Env) func(layout, value string) (time.Time, error) {
	return func(layout, value string) (time.Time, error) {
		return time.ParseInLocation(layout, value, time.UTC)
	}
}

func timeLocal(*Env) *time.Location { return time.UTC }

func timeTimeLocal(*Env) func(time.Time) time.Time { return time.Time.UTC }

func timeUnmarshalText(*Env) func(*time.Time, []byte) error {
	return func(t *time.Time, data []byte) error {
		err := t.UnmarshalText(data)
		*t = zoneOnly(*t)
		return err
	}
}

func timeUnmarshalJSON(*Env) func(*time.Time, []byte) error {
	return func(t *time.Time, data []byte) error {
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
