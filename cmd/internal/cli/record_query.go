package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/plaintext"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

func (c *call) recordQuery(args []string) int {
	var q record.Query
	flags := newFlags("record")
	for name, to := range map[string]*string{
		"tenant": &q.Tenant, "session": &q.Session, "run": &q.Run, "member": &q.Member, "script": &q.Script,
		"rule": &q.Rule, "by": &q.By, "outcome": &q.Outcome,
	} {
		flags.StringVar(to, name, "", "")
	}
	flags.Func("kind", "", func(s string) error { return parseWord(s, &q.Kind, record.Kinds()) })
	flags.Func("decision", "", func(s string) error {
		return parseWord(s, &q.Decision, []record.Decision{record.Allow, record.Deny, record.Ask, record.Later})
	})
	flags.Func("code", "", func(s string) error { return parseWord(s, &q.Code, decide.Codes()) })
	flags.BoolFunc("failed", "", func(s string) error {
		failed, err := strconv.ParseBool(s)
		q.Failed = &failed
		return err
	})
	flags.Func("since", "", func(s string) error { return parseTime(s, &q.Since) })
	flags.Func("until", "", func(s string) error { return parseTime(s, &q.Until) })
	flags.Func("limit", "", func(s string) error { return parseCount(s, &q.Limit) })
	flags.Func("offset", "", func(s string) error { return parseCount(s, &q.Offset) })
	path, err := c.oneFile("query", flags, args)
	if err != nil {
		return c.usage(err)
	}
	if c.json {
		return c.queryJSON(q, path)
	}
	err = q.ReadFiles(path, func(e record.Event) error {
		fmt.Fprintln(c.stdout, plaintext.Escape(eventText(&e)))
		return nil
	})
	switch {
	case isUsage(err):
		return c.usage(err)
	case err != nil:
		return c.badRecord(err)
	}
	return exitOK
}

// parseWord reads one of the words that events have, or a beginning of one and a *: a query for another word would find nothing.
func parseWord[T ~string](s string, to *string, words []T) error {
	begin, many := strings.CutSuffix(s, "*")
	var names []string
	for _, w := range words {
		names = append(names, string(w))
	}
	if !slices.ContainsFunc(names, func(name string) bool { return name == s || many && strings.HasPrefix(name, begin) }) {
		return fmt.Errorf("want one of %s", strings.Join(names, ", "))
	}
	*to = s
	return nil
}

// queryJSON prints the object as the events are read: there may be more than there is memory.
func (c *call) queryJSON(q record.Query, path string) int {
	begun := false
	begin := func(text string) {
		if !begun {
			text = `{"events":[`
		}
		begun = true
		fmt.Fprint(c.stdout, text)
	}
	err := q.ReadFiles(path, func(e record.Event) error {
		text, err := json.Marshal(e)
		if err == nil {
			begin(",")
			c.stdout.Write(plaintext.JSON(text))
		}
		return err
	})
	if isUsage(err) && !begun {
		return c.usage(err)
	}
	begin("")
	code, fault := exitOK, []byte("null")
	if err != nil {
		code = exitPanic
		if fault, err = json.Marshal(faultOf(err)); err != nil {
			return exitInternal
		}
	}
	fmt.Fprintf(c.stdout, "],\"error\":%s}\n", plaintext.JSON(fault))
	return code
}

// eventText is e on a line: time, kind and member, then what else it has.
func eventText(e *record.Event) string {
	parts := []string{e.Time.UTC().Format(time.RFC3339), string(e.Kind)}
	for _, p := range []struct{ name, text string }{
		{"", string(e.Decision)}, {"", e.Member}, {"", string(e.Args)}, {"", e.At}, {"tenant", e.Tenant}, {"session", e.Session}, {"run", e.Run},
		{"script", e.Script}, {"code", string(e.Code)}, {"rule", e.Rule}, {"by", e.By}, {"outcome", e.Outcome},
	} {
		if p.text != "" && p.name != "" {
			p.text = p.name + "=" + p.text
		}
		if p.text != "" {
			parts = append(parts, p.text)
		}
	}
	for _, quoted := range []struct{ name, text string }{{"reason", e.Reason}, {"error", e.Error}} {
		if quoted.text != "" {
			parts = append(parts, fmt.Sprintf("%s=%q", quoted.name, quoted.text))
		}
	}
	return strings.ReplaceAll(strings.Join(parts, " "), "\n", `\n`)
}

// parseTime reads a date or a time.
func parseTime(s string, to *time.Time) (err error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if *to, err = time.Parse(layout, s); err == nil {
			return nil
		}
	}
	return fmt.Errorf("want a time such as 2026-01-02 or 2026-01-02T15:04:05Z")
}

func parseCount(s string, to *int) (err error) {
	if *to, err = strconv.Atoi(s); err != nil || *to < 0 {
		return fmt.Errorf("want a number of events")
	}
	return nil
}
