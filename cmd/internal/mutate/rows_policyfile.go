package mutate

// policyfileRows are the defences of policy files, against keys that nobody reads and against openings that nobody wrote.
func policyfileRows() []Mutation {
	return []Mutation{
		{
			ID: "policyfile/network-narrowed", Defence: "rules of a file take the place of those of the file that it extends",
			File: "cmd/internal/policyfile/network.go",
			Old: `		n.Rules = nil
`,
			New:     ``,
			Package: "./cmd/internal/policyfile", Test: "TestNetworkExtends",
		},
		{
			ID: "policyfile/secret-seen", Defence: "a file with a secret is in no directory that scripts see",
			File:    "cmd/internal/policyfile/files.go",
			Old:     `err == nil && filepath.IsLocal(rest) {`,
			New:     `err == nil && rest == "\x00" {`,
			Package: "./cmd/internal/policyfile", Test: "TestSecretFileUnseen",
		},
		{
			ID: "policyfile/secret-kept", Defence: "the values of secrets are in the gate alone",
			File:    "cmd/internal/policyfile/network.go",
			Old:     `	p.Secrets = slices.Clone(p.Secrets)`,
			New:     `	p.Secrets = slices.Clip(p.Secrets)`,
			Package: "./cmd/internal/policyfile", Test: "TestNetwork",
		},
		{
			ID: "policyfile/keys", Defence: "a key that is not known is an error",
			File: "cmd/internal/policyfile/policyfile.go",
			Old: `		if i < 0 {
			var names`,
			New: `		if i < 0 {
			return nil
		}
		if i < 0 {
			var names`,
			Package: "./cmd/internal/policyfile", Test: "TestMisspelt",
		},
		{
			ID: "policyfile/added", Defence: "a list of refusals does not take the place of that of the file that is extended",
			File:    "cmd/internal/policyfile/guard.go",
			Old:     "before = slices.Clone(*to)",
			New:     "before = nil",
			Package: "./cmd/internal/policyfile", Test: "TestExtends",
		},
		{
			ID: "policyfile/record", Defence: "a record opens no function that is closed without one",
			File:    "cmd/internal/cli/guard.go",
			Old:     "p.Deny = o.file.Closed()",
			New:     "p.Deny = nil",
			Package: "./cmd/internal/cli", Test: "TestScripts/guard",
		},
		{
			ID: "policyfile/sent-network", Defence: "a policy that is sent opens no address of the machine or of its network",
			File:    "cmd/internal/policyfile/network.go",
			Old:     "if f.sent && (r.Loopback || len(r.Private) > 0) {",
			New:     "if f.sent && r.Host == \"\" {",
			Package: "./cmd/internal/policyfile", Test: "TestSent",
		},
		{
			ID: "policyfile/unasked", Defence: "without --ask a call that needs approval is denied",
			File:    "cmd/internal/cli/guard.go",
			Old:     "Verdict: decide.Deny, Reason",
			New:     "Verdict: decide.Approve, Reason",
			Package: "./cmd/internal/cli", Test: "TestScripts/guard",
		},
	}
}
