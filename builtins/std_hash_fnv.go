package builtins

var stdHashFnv = Package{
	Path: "hash/fnv",
	Members: []Member{
		{Name: "New128", Value: fnvNew128, Why: "a stop is let through in long texts"},
		{Name: "New128a", Value: fnvNew128a, Why: "a stop is let through in long texts"},
		{Name: "New32", Value: fnvNew32, Why: "a stop is let through in long texts"},
		{Name: "New32a", Value: fnvNew32a, Why: "a stop is let through in long texts"},
		{Name: "New64", Value: fnvNew64, Why: "a stop is let through in long texts"},
		{Name: "New64a", Value: fnvNew64a, Why: "a stop is let through in long texts"},
	},
}
