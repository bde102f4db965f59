package rules

import "strings"

// The members for operations on files. Each has a parameter path.
const (
	fileRead  = "file.read"
	fileWrite = "file.write"
	filePath  = "path"
)

// ReadBeforeWrite blocks file.write of a file that the session has not read. A file that is not there counts as read when
// file.read has said so. After a write the file is known.
func ReadBeforeWrite() Rule {
	add := &Add{Set: ".read", Param: filePath, As: "path"}
	return Rule{
		Name: "read_before_write", On: []string{fileWrite}, Do: Block,
		When: []Condition{{Param: filePath, NotSeen: ".read"}},
		Text: "{path} has not been read; read it first, so that nothing in it is lost",
		Track: []Track{
			{On: []string{fileRead}, After: true, When: []Condition{{Error: "none"}}, Add: add},
			{On: []string{fileRead}, After: true, When: []Condition{{Error: "not_exist"}}, Add: add},
			{After: true, When: []Condition{{Error: "none"}}, Add: add},
		},
	}
}

// secretPaths usually hold keys and passwords.
var secretPaths = []string{
	"**/.env", "**/.env.*", "**/*.pem", "**/*.key", "**/*.p12", "**/*.pfx", "**/*.keystore", "**/*.kdbx", "**/id_rsa*", "**/id_ecdsa*",
	"**/id_ed25519*", "**/.ssh/**", "**/.gnupg/**", "**/.aws/**", "**/.azure/**", "**/.config/gcloud/**", "**/.kube/**",
	"**/.docker/config.json", "**/.netrc", "**/.pgpass", "**/.npmrc", "**/.pypirc", "**/.git-credentials", "**/credentials.json",
	"**/etc/shadow", "**/proc/*/environ",
}

// NoSecretsPaths blocks file.read and file.write of files that usually hold keys and passwords.
func NoSecretsPaths() Rule {
	return Rule{
		Name: "no_secrets_paths", On: []string{fileRead, fileWrite}, Do: Block,
		When: []Condition{{Param: filePath, Path: secretPaths}},
		Text: "{path} may hold keys or passwords",
	}
}

// ReadsUnder blocks file.read outside of some directories.
func ReadsUnder(dirs ...string) Rule { return under("reads_under", fileRead, dirs) }

// WritesUnder blocks file.write outside of some directories.
func WritesUnder(dirs ...string) Rule { return under("writes_under", fileWrite, dirs) }

func under(name, member string, dirs []string) Rule {
	patterns := make([]string, len(dirs))
	for i, d := range dirs {
		patterns[i] = strings.TrimRight(d, "/") + "/**"
	}
	return Rule{
		Name: name, On: []string{member}, Do: Block,
		When: []Condition{{Not: &Condition{Param: filePath, Path: patterns}}},
		Text: "{path} is outside of " + strings.ReplaceAll(strings.Join(dirs, ", "), "{", "{{"),
	}
}

// MaxWrites blocks file.write after n calls of it in the session.
func MaxWrites(n int64) Rule {
	r := MaxCalls(n, fileWrite)
	r.Name = "max_writes"
	return r
}

// VerifyAfterWrite reminds the script after file.write to read what it wrote.
func VerifyAfterWrite() Rule {
	return Rule{
		Name: "verify_after_write", On: []string{fileWrite}, After: true, Do: Remind,
		When: []Condition{{Error: "none"}},
		Text: "read {path} again to check what was written",
	}
}

// TestAfterWrites reminds the script of the member test, after n calls of file.write without a call of that.
func TestAfterWrites(n int64, test string) Rule {
	return Rule{
		Name: "test_after_writes", On: []string{fileWrite}, After: true, Do: Remind,
		When:  []Condition{{Count: &Count{Of: ".writes", Min: &n}}},
		Text:  "files have changed: call " + test,
		Track: []Track{{Count: ".writes"}, {On: []string{test}, After: true, Reset: []string{".writes"}}},
	}
}

// SearchBeforeReads warns of calls of file.read after n of them without a call of the member search.
func SearchBeforeReads(n int64, search string) Rule {
	return Rule{
		Name: "search_before_reads", On: []string{fileRead}, Do: Warn,
		When:  []Condition{{Count: &Count{Of: ".reads", Min: &n}}},
		Text:  "many files were read; call " + search + " to find the ones that matter",
		Track: []Track{{Count: ".reads"}, {On: []string{search}, Reset: []string{".reads"}}},
	}
}
