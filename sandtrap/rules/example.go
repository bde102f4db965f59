package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"time"
)

// tryExamples reports the examples of r that fail.
func (c *compiler) tryExamples(r *rule) {
	for i := range r.Match {
		c.try(r, &r.Match[i], fmt.Sprintf("match %d", i+1), true)
	}
	for i := range r.NoMatch {
		c.try(r, &r.NoMatch[i], fmt.Sprintf("nomatch %d", i+1), false)
	}
}

// try reports that r fires for an example, if it is not wanted to, or that it does not.
func (c *compiler) try(r *rule, e *Example, name string, want bool) {
	m, err := r.memberOf(e)
	if err != nil {
		c.fail(r, "%s: %w", name, err)
		return
	}
	when, compiled := r.nodes[m]
	if !compiled {
		return // which has an error of its own
	}
	k := calls.Get().(*call)
	defer k.release()
	if k.args, err = m.values(e.Args); err == nil && r.After {
		k.results, err = m.resultsOf(e)
	}
	if err == nil {
		k.state, err = c.stateOf(r, e, k)
	}
	if err != nil {
		c.fail(r, "%s: %w", name, err)
		return
	}
	fires := when == nil || when.eval(k) != no
	if text := r.describe(m, e); fires && !want {
		c.fail(r, "%s: it fires for %s", name, text)
	} else if !fires && want {
		c.fail(r, "%s: it does not fire for %s", name, text)
	}
}

// memberOf is the member of an example.
func (r *rule) memberOf(e *Example) (*member, error) {
	if r.Do == "" {
		return nil, errors.New("the rule never fires: it has no do")
	}
	if e.Member == "" && len(r.members) == 1 {
		return r.members[0], nil
	}
	var names []string
	for _, m := range r.members {
		if m.Name == e.Member {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return nil, fmt.Errorf("the rule is not about a member %q%s", e.Member, hint(e.Member, names))
}

func (r *rule) describe(m *member, e *Example) string {
	args, err := json.Marshal(e.Args)
	if err != nil {
		return m.Name
	}
	return m.Name + " with " + string(args)
}

// values are the arguments of an example, in order.
func (m *member) values(args map[string]any) ([]reflect.Value, error) {
	for name := range args {
		if !slices.Contains(m.Params, name) {
			return nil, fmt.Errorf("%s has no parameter %q%s", m.Name, name, hint(name, m.Params))
		}
	}
	list := make([]reflect.Value, len(m.Params))
	for i, name := range m.Params {
		v := reflect.New(m.Types[i]).Elem()
		if arg, given := args[name]; given {
			if err := decode(arg, v); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		list[i] = v
	}
	return list, nil
}

// resultsOf are the results of an example.
func (m *member) resultsOf(e *Example) ([]reflect.Value, error) {
	list := make([]reflect.Value, len(m.Results))
	for i := range list {
		list[i] = reflect.New(m.Results[i]).Elem()
		if i >= len(e.Results) {
			continue
		}
		if err := decode(e.Results[i], list[i]); err != nil {
			return nil, fmt.Errorf("result %d: %w", i, err)
		}
	}
	if e.Error == "" {
		return list, nil
	}
	last := len(list) - 1
	if last < 0 || m.Results[last] != errorType {
		return nil, fmt.Errorf("%s returns no error", m.Name)
	}
	err := errors.New(e.Error)
	if e.Error == fs.ErrNotExist.Error() {
		err = fs.ErrNotExist
	}
	list[last].Set(reflect.ValueOf(err))
	return list, nil
}

// decode sets v to a value of an example, as encoding/json does. A duration may be a text.
func decode(x any, v reflect.Value) error {
	if text, ok := x.(string); ok && v.Type() == durationType {
		d, err := time.ParseDuration(text)
		v.SetInt(int64(d))
		return err
	}
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v.Addr().Interface())
}

// stateOf is the state before an example.
func (c *compiler) stateOf(r *rule, e *Example, k *call) (*State, error) {
	st := newState(len(c.sets.names), len(c.counts), len(c.flags))
	for name, list := range e.Sets {
		i := slices.Index(c.sets.names, r.own(name))
		if i < 0 {
			return nil, fmt.Errorf("there is no set %q%s", name, hint(name, c.sets.names))
		}
		k.state = st
		for _, x := range list {
			a := adds{set: i, form: form{as: c.sets.forms[i]}}
			if v := reflect.ValueOf(x); !v.IsValid() || a.holds(v, k) == unknown {
				return nil, fmt.Errorf("set %q: %s cannot be in it", name, show(x))
			}
		}
	}
	for name, n := range e.Counts {
		i := slices.Index(c.counts, r.own(name))
		if i < 0 {
			return nil, fmt.Errorf("there is no counter %q%s", name, hint(name, c.counts))
		}
		st.counts[i] = counter{n, n}
	}
	for _, name := range e.Flags {
		i := slices.Index(c.flags, r.own(name))
		if i < 0 {
			return nil, fmt.Errorf("there is no flag %q%s", name, hint(name, c.flags))
		}
		st.flags[i] = yes
	}
	return st, nil
}
