package builtins

import "math/rand"

var stdMathRand = Package{
	Path: "math/rand",
	Bounded: "Rand.ExpFloat64 Rand.Float32 Rand.Float64 Rand.Int Rand.Int31 Rand.Int31n Rand.Int63 Rand.Int63n Rand.Intn Rand.NormFloat64 Rand.Read Rand.Seed Rand.Shuffle Rand.Uint32 Rand.Uint64 " +
		"Zipf.Uint64 NewSource",
	Members: []Member{
		{Name: "Rand", Value: (*rand.Rand)(nil), With: "ExpFloat64 Float32 Float64 Int Int31 Int31n Int63 Int63n Intn NormFloat64 Read Seed Shuffle Uint32 Uint64"},
		{Name: "Rand.Perm", Value: randRandPerm, Why: "allocates as many numbers as asked for"},
		{Name: "Source", Value: (*rand.Source)(nil)},
		{Name: "Source64", Value: (*rand.Source64)(nil)},
		{Name: "Zipf", Value: (*rand.Zipf)(nil), With: "Uint64"},

		{Name: "ExpFloat64", Value: randExpFloat64, Needs: "random", Why: "each run has its own source"},
		{Name: "Float32", Value: randFloat32, Needs: "random", Why: "each run has its own source"},
		{Name: "Float64", Value: randFloat64, Needs: "random", Why: "each run has its own source"},
		{Name: "Int", Value: randInt, Needs: "random", Why: "each run has its own source"},
		{Name: "Int31", Value: randInt31, Needs: "random", Why: "each run has its own source"},
		{Name: "Int31n", Value: randInt31n, Needs: "random", Why: "each run has its own source"},
		{Name: "Int63", Value: randInt63, Needs: "random", Why: "each run has its own source"},
		{Name: "Int63n", Value: randInt63n, Needs: "random", Why: "each run has its own source"},
		{Name: "Intn", Value: randIntn, Needs: "random", Why: "each run has its own source"},
		{Name: "New", Value: randNew, Why: "sources in each other take of the Go stack"},
		{Name: "NewSource", Value: rand.NewSource},
		{Name: "NewZipf", Value: randNewZipf, Why: "with some exponents it never has a number"},
		{Name: "NormFloat64", Value: randNormFloat64, Needs: "random", Why: "each run has its own source"},
		{Name: "Perm", Value: randPerm, Needs: "random", Why: "each run has its own source"},
		{Name: "Read", Value: randRead, Needs: "random", Why: "each run has its own source"},
		{Name: "Seed", Value: randSeed, Needs: "random", Why: "each run has its own source"},
		{Name: "Shuffle", Value: randShuffle, Needs: "random", Why: "each run has its own source"},
		{Name: "Uint32", Value: randUint32, Needs: "random", Why: "each run has its own source"},
		{Name: "Uint64", Value: randUint64, Needs: "random", Why: "each run has its own source"},
	},
}
