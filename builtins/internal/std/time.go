package std

import (
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimtime "github.com/sandtrap-go/sandtrap/builtins/internal/shim/time"
)

var stdTime = rows.Package{
	Path:   "time",
	Engine: "Sleep=sleep AfterFunc=spawn",
	Bounded: "Duration.Abs Duration.Hours Duration.Microseconds Duration.Milliseconds Duration.Minutes Duration.Nanoseconds Duration.Round Duration.Seconds Duration.String Duration.Truncate " +
		"Location.String Month.String ParseError.Error Time.Add Time.AddDate Time.After Time.AppendBinary Time.AppendText Time.Before Time.Clock Time.Compare Time.Date Time.Day Time.Equal " +
		"Time.GoString Time.GobEncode Time.Hour Time.ISOWeek Time.In Time.IsDST Time.IsZero Time.Location Time.MarshalBinary Time.MarshalJSON Time.MarshalText Time.Minute Time.Month " +
		"Time.Nanosecond Time.Round Time.Second Time.String Time.Sub Time.Truncate Time.UTC Time.Unix Time.UnixMicro Time.UnixMilli Time.UnixNano Time.Weekday Time.Year Time.YearDay " +
		"Time.Zone Time.ZoneBounds Weekday.String Date FixedZone",
	Prints:  "*",
	Renamed: true,
	Prompt:  "Duration.* Month.* Now Since Sleep Weekday.*",
	Members: []rows.Member{
		{Name: "Duration", Value: (*time.Duration)(nil), With: "Abs Hours Microseconds Milliseconds Minutes Nanoseconds Round Seconds String Truncate"},
		{Name: "Location", Value: (*time.Location)(nil), With: "String", Handle: true},
		{Name: "Month", Value: (*time.Month)(nil), With: "String"},
		{Name: "ParseError", Value: (*time.ParseError)(nil), With: "Error Layout LayoutElem Message Value ValueElem"},
		{Name: "Ticker", Value: (*shimtime.Ticker)(nil), With: "C Reset Stop", Why: "runs on the clock of the run, and ends with it"},
		{Name: "Time", Value: (*time.Time)(nil), With: "Add AddDate After AppendBinary AppendText Before Clock Compare Date Day Equal GoString GobEncode Hour ISOWeek In IsDST IsZero Location MarshalBinary MarshalJSON MarshalText Minute Month Nanosecond Round Second String Sub Truncate UTC Unix UnixMicro UnixMilli UnixNano Weekday Year YearDay Zone ZoneBounds"},
		{Name: "Time.AppendFormat", Value: shimtime.TimeAppendFormat, Why: "a long layout makes a long text"},
		{Name: "Time.Format", Value: shimtime.TimeFormat, Why: "a long layout makes a long text"},
		{Name: "Time.Local", Value: shimtime.TimeTimeLocal, Why: "a script's local time zone is UTC; the host's would tell where it is"},
		{Name: "Time.GobDecode", Value: shimtime.TimeUnmarshalBinary, Why: "a script's local time zone is UTC; the host's would tell where it is"},
		{Name: "Time.UnmarshalBinary", Value: shimtime.TimeUnmarshalBinary, Why: "a script's local time zone is UTC; the host's would tell where it is"},
		{Name: "Time.UnmarshalJSON", Value: shimtime.TimeUnmarshalJSON, Why: "a script's local time zone is UTC; the host's would tell where it is"},
		{Name: "Time.UnmarshalText", Value: shimtime.TimeUnmarshalText, Why: "a script's local time zone is UTC; the host's would tell where it is"},
		{Name: "Timer", Value: (*shimtime.Timer)(nil), With: "C Reset Stop", Why: "runs on the clock of the run, and ends with it"},
		{Name: "Weekday", Value: (*time.Weekday)(nil), With: "String"},

		{Name: "After", Value: shimtime.TimeAfter, Needs: "clock", Why: "runs on the clock of the run, and ends with it"},
		{Name: "AfterFunc", Value: shimtime.TimeAfterFunc, Needs: "clock", Why: "runs on the clock of the run, and ends with it"},
		{Name: "Date", Value: time.Date},
		{Name: "FixedZone", Value: time.FixedZone},
		{Name: "LoadLocation", Value: shimtime.TimeLoadLocation, Why: "never looks at files of the host's"},
		{Name: "LoadLocationFromTZData", Value: shimtime.TimeLoadLocationFromTZData, Why: "its result is larger than what it is given"},
		{Name: "NewTicker", Value: shimtime.TimeNewTicker, Needs: "clock", Why: "runs on the clock of the run, and ends with it"},
		{Name: "NewTimer", Value: shimtime.TimeNewTimer, Needs: "clock", Why: "runs on the clock of the run, and ends with it"},
		{Name: "Now", Value: shimtime.TimeNow, Needs: "clock", Why: "a script's local time zone is UTC; the host's would tell where it is"},
		{Name: "Parse", Value: shimtime.TimeParse, Why: "a script's local time zone is UTC; the host's would tell where it is"},
		{Name: "ParseDuration", Value: shim.Parsing(20, shim.Quoted, time.ParseDuration), Why: "takes far longer than its text is"},
		{Name: "ParseInLocation", Value: shimtime.TimeParseInLocation, Why: "a long layout takes its time"},
		{Name: "Since", Value: shimtime.TimeSince, Needs: "clock"},
		{Name: "Sleep", Value: shimtime.TimeSleep, Needs: "clock", Why: "ends when the run is stopped"},
		{Name: "Tick", Value: shimtime.TimeTick, Needs: "clock", Why: "runs on the clock of the run, and ends with it"},
		{Name: "Unix", Value: shimtime.TimeUnix, Why: "a script's local time zone is UTC; the host's would tell where it is"},
		{Name: "UnixMicro", Value: shimtime.TimeUnixMicro, Why: "a script's local time zone is UTC; the host's would tell where it is"},
		{Name: "UnixMilli", Value: shimtime.TimeUnixMilli, Why: "a script's local time zone is UTC; the host's would tell where it is"},
		{Name: "Until", Value: shimtime.TimeUntil, Needs: "clock"},

		{Name: "Local", Value: shimtime.TimeLocal, Why: "a script's local time zone is UTC; the host's would tell where it is"},
		{Name: "UTC", Value: &time.UTC},

		{Name: "ANSIC", Value: rows.Literal("\"Mon Jan _2 15:04:05 2006\"")},
		{Name: "April", Value: time.April},
		{Name: "August", Value: time.August},
		{Name: "DateOnly", Value: rows.Literal("\"2006-01-02\"")},
		{Name: "DateTime", Value: rows.Literal("\"2006-01-02 15:04:05\"")},
		{Name: "December", Value: time.December},
		{Name: "February", Value: time.February},
		{Name: "Friday", Value: time.Friday},
		{Name: "Hour", Value: time.Hour},
		{Name: "January", Value: time.January},
		{Name: "July", Value: time.July},
		{Name: "June", Value: time.June},
		{Name: "Kitchen", Value: rows.Literal("\"3:04PM\"")},
		{Name: "Layout", Value: rows.Literal("\"01/02 03:04:05PM '06 -0700\"")},
		{Name: "March", Value: time.March},
		{Name: "May", Value: time.May},
		{Name: "Microsecond", Value: time.Microsecond},
		{Name: "Millisecond", Value: time.Millisecond},
		{Name: "Minute", Value: time.Minute},
		{Name: "Monday", Value: time.Monday},
		{Name: "Nanosecond", Value: time.Nanosecond},
		{Name: "November", Value: time.November},
		{Name: "October", Value: time.October},
		{Name: "RFC1123", Value: rows.Literal("\"Mon, 02 Jan 2006 15:04:05 MST\"")},
		{Name: "RFC1123Z", Value: rows.Literal("\"Mon, 02 Jan 2006 15:04:05 -0700\"")},
		{Name: "RFC3339", Value: rows.Literal("\"2006-01-02T15:04:05Z07:00\"")},
		{Name: "RFC3339Nano", Value: rows.Literal("\"2006-01-02T15:04:05.999999999Z07:00\"")},
		{Name: "RFC822", Value: rows.Literal("\"02 Jan 06 15:04 MST\"")},
		{Name: "RFC822Z", Value: rows.Literal("\"02 Jan 06 15:04 -0700\"")},
		{Name: "RFC850", Value: rows.Literal("\"Monday, 02-Jan-06 15:04:05 MST\"")},
		{Name: "RubyDate", Value: rows.Literal("\"Mon Jan 02 15:04:05 -0700 2006\"")},
		{Name: "Saturday", Value: time.Saturday},
		{Name: "Second", Value: time.Second},
		{Name: "September", Value: time.September},
		{Name: "Stamp", Value: rows.Literal("\"Jan _2 15:04:05\"")},
		{Name: "StampMicro", Value: rows.Literal("\"Jan _2 15:04:05.000000\"")},
		{Name: "StampMilli", Value: rows.Literal("\"Jan _2 15:04:05.000\"")},
		{Name: "StampNano", Value: rows.Literal("\"Jan _2 15:04:05.000000000\"")},
		{Name: "Sunday", Value: time.Sunday},
		{Name: "Thursday", Value: time.Thursday},
		{Name: "TimeOnly", Value: rows.Literal("\"15:04:05\"")},
		{Name: "Tuesday", Value: time.Tuesday},
		{Name: "UnixDate", Value: rows.Literal("\"Mon Jan _2 15:04:05 MST 2006\"")},
		{Name: "Wednesday", Value: time.Wednesday},
	},
}

// Time zones are embedded anyway; importing the package has no effect.
var stdTimeTzdata = rows.Package{Path: "time/tzdata"}
