package builtins

var stdHashMaphash = Package{
	Path: "hash/maphash",
	scan: true,
	Members: []Member{
		{Name: "Hash", Value: (*MapHash)(nil), With: "BlockSize Clone Reset Seed SetSeed Size Sum Sum64 Write WriteByte WriteString", Needs: "random", Why: "Go's own takes its seed from the host's process"},
		{Name: "Seed", Value: (*MapSeed)(nil)},

		{Name: "Bytes", Value: maphashBytes, Why: "Go's own depends on the host's processor"},
		{Name: "MakeSeed", Value: maphashMakeSeed, Needs: "random", Why: "a seed of the run's"},
		{Name: "String", Value: maphashString, Why: "Go's own depends on the host's processor"},
	},
	Denied: []Denial{
		{Names: "Comparable WriteComparable", Why: "would see how the sandbox keeps values, not the values", Instead: "maphash.String"},
	},
}
