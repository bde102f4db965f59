package mutate

// recordRows are the defences of records.
func recordRows() []Mutation {
	const pkg = "./sandtrap/record"
	row := func(id, defence, file, was, now, test string) Mutation {
		return Mutation{ID: "record/" + id, Defence: defence, File: "sandtrap/record/" + file, Old: was, New: now, Package: pkg, Test: test}
	}
	return []Mutation{
		row("hash", "a line whose content was changed is found", "line.go",
			`	case l.Sum != hex.EncodeToString(to.sum[:]):`, `	case false:`, "TestRefusedFiles/changed"),
		row("bytes", "a line that says the same in other bytes is found", "line.go",
			`	case !bytes.Equal(again[:len(again)-1], text):`, `	case bytes.Equal(again, text):`, "TestFlip"),
		row("chain", "a line that does not continue the one before is found", "walk.go",
			`	case w.any && from != w.last:`, `	case false:`, "TestLines"),
		row("cut", "lines that were cut off at the end are found by the checkpoint", "walk.go",
			`	case s.Lines > w.last.n:`, `	case false:`, "TestLines"),
		row("forged", "a record that was written anew is found by the checkpoint", "walk.go",
			`	if s := w.signed; s != nil && s.Lines == c.n && s.Hash != c.sum {`, `	if s := w.signed; false && s != nil {`, "TestForged"),
		row("oldest", "an earlier file that is missing is found", "verify.go",
			`	if w.first < w.from {`, `	if false {`, "TestFiles"),
		row("head", "lines that are missing at the start of a file are found", "verify.go",
			`		if err == nil && n == 1 && l.Kind != KindFile {`, `		if n < 0 && l.Kind != KindFile {`, "TestLines"),
		row("lock", "a record has one Log at a time", "files.go",
			`		if err := filelock.TryLock(l.file); err != nil {`, `		if err := error(nil); err != nil {`, "TestSecondOpen"),
		row("swap", "a file is locked before it takes the place of another", "files.go",
			`	if err := filelock.TryLock(f); err != nil {`, `	if err := error(nil); err != nil {`, "TestSecondOpen"),
		row("sticky", "after a failed write a record takes no more events", "log.go",
			`			l.err = fmt.Errorf("record: %s: %w", l.path, err)
		}`, `			return fmt.Errorf("record: %s: %w", l.path, err)
		}`, "TestFailedWrite/full"),
		row("whole", "a write that fails leaves whole lines", "log.go",
			`		_ = l.file.Truncate(l.size)
`, ``, "TestFileLimit"),
		row("mode", "a record is for its owner alone", "files.go",
			`	if err := l.file.Chmod(0o600); err != nil {`, `	if err := error(nil); err != nil {`, "TestFile"),
		row("torn", "a last line that is not whole is removed", "reopen.go",
			`	if err := l.file.Truncate(whole); err != nil {`, `	if err := error(nil); err != nil {`, "TestTorn"),
		row("missing", "a record whose newest file is gone is not begun again", "files.go",
			`	case len(older) > 0:`, `	case false:`, "TestMissing"),
		row("unsigned", "a record whose checkpoint is gone is not signed again", "reopen.go",
			`	} else if l.o.Key != nil && w.last.n > 1 {`, `	} else if false {`, "TestRefusedFiles/no_checkpoint"),
		row("keys", "values of keys that name secrets are redacted", "redact_json.go",
			`	if hide && !null && !w.dry {`, `	if hide && null {`, "TestNamedSecrets"),
		row("texts", "secrets after their names in texts are redacted", "redact.go",
			`	return a.values(a.named(a.embedded(s, depth)))`, `	return a.values(a.embedded(s, depth))`, "TestNamedSecretsInTexts"),
		row("nested", "secrets in JSON within a text are redacted", "redact_text.go",
			`		if w.hid {`, `		if false {`, "TestNamedSecrets"),
		row("flags", "a value after the name of a secret in a list is redacted", "redact_json.go",
			`		name = w.peek() == '"' && !hide && !w.dry && w.isName()`, `		name = false`, "TestNamedSecrets"),
		row("users", "users and passwords in URLs are redacted", "redact_text.go",
			`			hide(userinfo(s, i+3))`, `			_, _ = userinfo(s, i+3)`, "TestNamedSecrets"),
		row("base64", "registered secrets are redacted within base64", "redact_values.go",
			`		for _, core := range secret.cores {`, `		for _, core := range secret.cores[:0] {`, "TestRegisteredSecrets"),
		row("hex", "registered secrets are redacted in hex", "redact_values.go",
			`			found = occurrences(lower, secret.hex, found)
`, ``, "TestRegisteredSecrets"),
		row("percent", "registered secrets are redacted behind percent signs", "redact_values.go",
			`	if percent {`, `	if false && percent {`, "TestRegisteredSecrets"),
		row("slog", "sinks other than a Log redact, too", "sink.go",
			`func Func(f func(Event) error) Sink { return new(Redactor).Sink(funcSink(f)) }`,
			`func Func(f func(Event) error) Sink { return funcSink(f) }`, "TestNamedSecrets"),
	}
}
