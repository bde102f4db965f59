package builtins

import "io"

// stdIoIoutil is there for older programs; its members are those of io and os.
var stdIoIoutil = Package{
	Path:  "io/ioutil",
	needy: true,
	Members: []Member{
		{Name: "NopCloser", Value: ioNopCloser, Why: "as io.MultiReader"},
		{Name: "ReadAll", Value: ioReadAll, Why: "a source may never end"},
		{Name: "ReadDir", Value: ioutilReadDir, Needs: "files"},
		{Name: "ReadFile", Value: osReadFile, Needs: "files"},
		{Name: "TempDir", Value: osMkdirTemp, Needs: "files"},
		{Name: "TempFile", Value: osCreateTemp, Needs: "files"},
		{Name: "WriteFile", Value: osWriteFile, Needs: "files"},

		{Name: "Discard", Value: &io.Discard},
	},
}
