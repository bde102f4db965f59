package rules

import "strconv"

// MaxCalls blocks calls of some members after n of them in the session, all together. Calls that were refused later, or failed,
// are counted too.
func MaxCalls(n int64, on ...string) Rule {
	return Rule{
		Name: "max_calls", On: on, Do: Block,
		When:  []Condition{{Count: &Count{Of: ".calls", Min: &n}}},
		Text:  "{member} has been called as often as it may be in a session: " + strconv.FormatInt(n, 10),
		Track: []Track{{Count: ".calls"}},
	}
}

// MaxSize blocks calls with more than n bytes, or elements, in a parameter.
func MaxSize(param string, n int64, on ...string) Rule {
	least := strconv.FormatInt(n+1, 10)
	return Rule{
		Name: "max_size", On: on, Do: Block,
		When: []Condition{{Param: param, Length: &Range{Min: least}}},
		Text: "the size of " + param + " is limited to " + strconv.FormatInt(n, 10),
	}
}

// OncePerValue blocks calls with a value of a parameter that a call before had.
func OncePerValue(param string, on ...string) Rule {
	return Rule{
		Name: "once_per_value", On: on, Do: Block,
		When:  []Condition{{Param: param, Seen: ".values"}},
		Text:  "{member} has been called with {" + param + "} before",
		Track: []Track{{Add: &Add{Set: ".values", Param: param}}},
	}
}

// OnlyValues blocks calls unless a parameter has one of some values.
func OnlyValues(param string, values []any, on ...string) Rule {
	return Rule{
		Name: "only_values", On: on, Do: Block,
		When: []Condition{{Param: param, NotIn: values}},
		Text: "{" + param + "} is not allowed for " + param,
	}
}

// OnlyURLs blocks calls unless the URL in a parameter matches one of some patterns.
func OnlyURLs(param string, patterns []string, on ...string) Rule {
	return Rule{
		Name: "only_urls", On: on, Do: Block,
		When: []Condition{{Not: &Condition{Param: param, URL: patterns}}},
		Text: "{" + param + "} is not one of the allowed URLs",
	}
}

// shells are programs that run what is in their arguments or their input.
var shells = []string{
	"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "busybox", "toybox", "env", "xargs", "sudo", "doas", "su", "eval", "exec",
	"nohup", "timeout", "setsid", "nice", "ionice", "stdbuf", "watch", "parallel", "ssh", "script", "strace", "chroot", "unshare", "nsenter", "flock",
	"python", "python2", "python3", "perl", "ruby", "node", "php", "lua", "awk", "gawk", "mawk", "pwsh", "powershell", "cmd", "cmd.exe", "tclsh", "expect",
}

// NoShell blocks calls whose argument vector has the name of a shell, or of a program that runs others, as a word. The names are
// the common ones: a list of programs that are allowed, by prefix, is safer.
func NoShell(param string, on ...string) Rule {
	return Rule{
		Name: "no_shell", On: on, Do: Block,
		When: []Condition{{Any: commands(param, shells...)}},
		Text: "{member} does not start shells, or programs that run others",
	}
}

// commands are conditions of an argument vector, which each have one of some words.
func commands(param string, words ...string) (list []Condition) {
	for _, w := range words {
		list = append(list, Condition{Param: param, Command: &Command{Words: []string{w}}})
	}
	return list
}

// ConfirmDestructive asks about calls whose argument vector has one of the common commands that delete, overwrite or force,
// whatever the form of its options. Of commands within one argument, as after sh -c, it knows nothing: combine it with NoShell.
func ConfirmDestructive(param string, on ...string) Rule {
	recursive := []string{"-r", "-R", "--recursive"}
	force := []string{"-f", "--force"}
	with := func(words []string, options ...[]string) Condition {
		return Condition{Param: param, Command: &Command{Words: words, Options: options}}
	}
	return Rule{
		Name: "confirm_destructive", On: on, Do: Ask,
		When: []Condition{{Any: append(commands(param, "mkfs", "mkfs.ext4", "shred", "wipefs", "fdisk", "parted", "truncate", "shutdown", "reboot", "halt", "poweroff"),
			with([]string{"rm"}, recursive),
			with([]string{"rm"}, force),
			with([]string{"chmod"}, recursive),
			with([]string{"chown"}, recursive),
			with([]string{"find"}, []string{"-delete", "-exec", "-execdir", "-ok", "-okdir"}),
			with([]string{"rsync"}, []string{"--delete", "--delete-before", "--delete-after", "--delete-during", "--delete-excluded", "--remove-source-files"}),
			with([]string{"git", "reset"}, []string{"--hard"}),
			with([]string{"git", "push"}, []string{"-f", "--force", "--force-with-lease", "-d", "--delete", "--mirror", "--prune"}),
			with([]string{"git", "clean"}, force),
			with([]string{"git", "branch"}, []string{"-D", "-d", "--delete"}),
			with([]string{"git", "checkout"}, force),
			with([]string{"dd"}),
		)}},
		Text: "this command may delete or overwrite what cannot be brought back",
	}
}

// ConfirmDelete asks about each call of some members, which delete something.
func ConfirmDelete(on ...string) Rule {
	return Rule{Name: "confirm_delete", On: on, Do: Ask, Text: "{member} deletes something"}
}

// AskFirst asks about calls of some members, until one of them has been made.
func AskFirst(on ...string) Rule {
	return Rule{
		Name: "ask_first", On: on, Do: Ask,
		When:  []Condition{{Not: &Condition{Flag: ".asked"}}},
		Text:  "{member} is called for the first time in this session",
		Track: []Track{{After: true, Raise: ".asked"}},
	}
}
