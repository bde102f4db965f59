package record

import "strings"

// named replaces the secrets of s that stand after their names, as in name=value, "name": "value" and --name value, those after
// Bearer and Basic, and users and passwords of URLs.
func (a *additions) named(s string) string {
	var out strings.Builder
	done := 0 // of s
	hide := func(from, to int) {
		if from >= done && to > from {
			out.WriteString(s[done:from])
			out.WriteString(redacted)
			done = to
		}
	}
	for i := 0; i < len(s); i++ {
		switch {
		case i < done:
			i = done - 1
		case s[i] == ':' && strings.HasPrefix(s[i+1:], "//"):
			hide(userinfo(s, i+3))
		case s[i] == ':' || s[i] == '=':
			if name := nameBefore(s, i); name != "" && a.sensitive(name) {
				hide(valueAfter(s, i, name))
			}
		case s[i] == ' ':
			if word := wordBefore(s, i); strings.HasPrefix(word, "-") && a.sensitive(word) || isScheme(word) && len(wordAt(s, i+1)) >= 8 {
				hide(i+1, i+1+len(wordAt(s, i+1)))
			}
		}
	}
	if done == 0 {
		return s
	}
	return out.String() + s[done:]
}

// embedded replaces the secrets in the JSON that s has.
func (a *additions) embedded(s string, depth int) string {
	var out strings.Builder
	done := 0
	effort := 8*len(s) + 4096 // for what looks like JSON, but is not
	for i := 0; i < len(s) && effort > 0; {
		if i = opening(s, i); i < 0 {
			break
		}
		// What is not JSON has to be known before it is looked into: its parts are looked at again.
		end := walk{in: s[i:], dry: true}
		if end.value(depth, false); end.bad {
			effort -= end.at
			i++
			continue
		}
		w := walk{additions: a, in: s[i : i+end.at]}
		w.value(depth, false)
		if w.hid {
			out.WriteString(s[done:i])
			out.Write(w.out)
			done = i + w.at
		}
		i += w.at
	}
	if done == 0 {
		return s
	}
	return out.String() + s[done:]
}

// opening is where the first bracket of JSON stands in s from i on, -1 if there is none.
func opening(s string, i int) int {
	for ; i < len(s); i++ {
		if s[i] == '{' || s[i] == '[' {
			return i
		}
	}
	return -1
}

// userinfo is where the user and password of a URL stand, whose host would begin at from.
func userinfo(s string, from int) (int, int) {
	end := from
	for end < len(s) && !strings.ContainsRune("/?# \t\r\n\"<>", rune(s[end])) {
		end++
	}
	return from, from + max(0, strings.LastIndexByte(s[from:end], '@'))
}

// maxName bounds names in texts.
const maxName = 128

// nameBefore is the name that ends before i, in quotation marks or not.
func nameBefore(s string, i int) string {
	end := i
	for end > 0 && i-end < 8 && strings.IndexByte(" \t\\\"'", s[end-1]) >= 0 {
		end--
	}
	start := end
	for start > 0 && end-start < maxName && isNameByte(s[start-1]) {
		start--
	}
	return s[start:end]
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 || strings.IndexByte("_-.[]%$", c) >= 0
}

// valueAfter is where the value stands that follows the separator at i after name.
func valueAfter(s string, i int, name string) (from, to int) {
	from = i + 1
	for from < len(s) && strings.IndexByte(" \t=>", s[from]) >= 0 {
		from++
	}
	if mark := quotation(s[from:]); mark != "" {
		from += len(mark)
		return from, from + quoted(s[from:], mark)
	}
	if key := string(plainKey(nil, name)); strings.Contains(key, "authorization") || strings.Contains(key, "cookie") {
		return from, from + until(s[from:], "\r\n\"")
	}
	to = from + len(wordAt(s, from))
	if strings.TrimRight(s[from:to], ",}] ") == "null" {
		return from, from
	}
	if isScheme(s[from:to]) && to < len(s) && s[to] == ' ' {
		to += 1 + len(wordAt(s, to+1))
	}
	return from, to
}

// quotation is the quotation mark that s begins with, with a backslash before it if it has one.
func quotation(s string) string {
	for _, mark := range []string{`"`, `'`, "`", `\"`, `\'`} {
		if strings.HasPrefix(s, mark) {
			return mark
		}
	}
	return ""
}

// quoted is how much of s is before the mark that closes it.
func quoted(s, mark string) int {
	if len(mark) == 2 {
		if end := strings.Index(s, mark); end >= 0 {
			return end
		}
		return len(s)
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case mark[0]:
			return i
		}
	}
	return len(s)
}

// until is how much of s is before one of the characters.
func until(s, chars string) int {
	if end := strings.IndexAny(s, chars); end >= 0 {
		return end
	}
	return len(s)
}

// wordAt is the word of s at i.
func wordAt(s string, i int) string { return s[i : i+until(s[i:], " \t\r\n&\"")] }

// wordBefore is the word of s that ends before i.
func wordBefore(s string, i int) string {
	start := i
	for start > 0 && i-start < maxName && s[start-1] > ' ' && s[start-1] != '"' && s[start-1] != '\'' {
		start--
	}
	return s[start:i]
}

func isScheme(word string) bool {
	return strings.EqualFold(word, "Bearer") || strings.EqualFold(word, "Basic")
}
