// Package policyfile reads policy files: YAML or JSON that says what a sandtrap.Policy and its guard are, from profiles and other
// files that it extends. It knows the line that each value comes from.
//
// It may not open what no file, profile or preset mentions, or take a key that it does not know.
package policyfile
