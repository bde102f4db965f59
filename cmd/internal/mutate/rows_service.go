package mutate

// serviceRows are defences of the service, which is a module of its own.
func serviceRows() []Mutation {
	return []Mutation{
		{
			ID: "service/run-of-another", Defence: "a run is that of the tenant who asks, also while it goes on",
			File: "cmd/sandtrapd/internal/store/run.go", Old: `"run INDEXED BY run_owner WHERE tenant = ? AND id = ?", tenant, id`, New: `"run WHERE ? != '' AND id = ?", tenant, id`,
			Package: "./cmd/sandtrapd/internal/api", Test: "TestRun",
		},
		{
			ID: "service/answer-fits", Defence: "an answer that does not fit its call is refused before the run goes on",
			File: "cmd/sandtrapd/internal/runs/change.go", Old: "return box.Tools.Check(p.Name, a.Value)", New: "return nil",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestTools",
		},
	}
}
