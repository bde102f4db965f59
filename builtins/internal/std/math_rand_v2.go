package std

import (
	"math/rand/v2"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimrand "github.com/sandtrap-go/sandtrap/builtins/internal/shim/rand"
)

var stdMathRandV2 = rows.Package{
	Path: "math/rand/v2",
	Bounded: "ChaCha8.AppendBinary ChaCha8.MarshalBinary ChaCha8.Read ChaCha8.Seed ChaCha8.Uint64 ChaCha8.UnmarshalBinary PCG.AppendBinary PCG.MarshalBinary PCG.Seed PCG.Uint64 " +
		"PCG.UnmarshalBinary Rand.ExpFloat64 Rand.Float32 Rand.Float64 Rand.Int Rand.Int32 Rand.Int32N Rand.Int64 Rand.Int64N Rand.IntN Rand.NormFloat64 Rand.Shuffle Rand.Uint Rand.Uint32 " +
		"Rand.Uint32N Rand.Uint64 Rand.Uint64N Rand.UintN Zipf.Uint64 NewChaCha8 NewPCG",
	Source: randSource,
	Members: []rows.Member{
		{Name: "ChaCha8", Value: (*rand.ChaCha8)(nil), With: "AppendBinary MarshalBinary Read Seed Uint64 UnmarshalBinary"},
		{Name: "PCG", Value: (*rand.PCG)(nil), With: "AppendBinary MarshalBinary Seed Uint64 UnmarshalBinary"},
		{Name: "Rand", Value: (*rand.Rand)(nil), With: "ExpFloat64 Float32 Float64 Int Int32 Int32N Int64 Int64N IntN NormFloat64 Shuffle Uint Uint32 Uint32N Uint64 Uint64N UintN"},
		{Name: "Rand.Perm", Value: shimrand.Rand2RandPerm, Why: "allocates as many numbers as asked for"},
		{Name: "Source", Value: (*rand.Source)(nil)},
		{Name: "Zipf", Value: (*rand.Zipf)(nil), With: "Uint64"},

		{Name: "ExpFloat64", Value: shimrand.Rand2ExpFloat64, Needs: "random", Why: "each run has its own source"},
		{Name: "Float32", Value: shimrand.Rand2Float32, Needs: "random", Why: "each run has its own source"},
		{Name: "Float64", Value: shimrand.Rand2Float64, Needs: "random", Why: "each run has its own source"},
		{Name: "Int", Value: shimrand.Rand2Int, Needs: "random", Why: "each run has its own source"},
		{Name: "Int32", Value: shimrand.Rand2Int32, Needs: "random", Why: "each run has its own source"},
		{Name: "Int32N", Value: shimrand.Rand2Int32N, Needs: "random", Why: "each run has its own source"},
		{Name: "Int64", Value: shimrand.Rand2Int64, Needs: "random", Why: "each run has its own source"},
		{Name: "Int64N", Value: shimrand.Rand2Int64N, Needs: "random", Why: "each run has its own source"},
		{Name: "IntN", Value: shimrand.Rand2IntN, Needs: "random", Why: "each run has its own source"},
		{Name: "New", Value: shimrand.RandV2New, Why: "sources in each other take of the Go stack"},
		{Name: "NewChaCha8", Value: rand.NewChaCha8},
		{Name: "NewPCG", Value: rand.NewPCG},
		{Name: "NewZipf", Value: shimrand.RandV2NewZipf, Why: "with some exponents it never has a number"},
		{Name: "NormFloat64", Value: shimrand.Rand2NormFloat64, Needs: "random", Why: "each run has its own source"},
		{Name: "Perm", Value: shimrand.Rand2Perm, Needs: "random", Why: "each run has its own source"},
		{Name: "Shuffle", Value: shimrand.Rand2Shuffle, Needs: "random", Why: "each run has its own source"},
		{Name: "Uint", Value: shimrand.Rand2Uint, Needs: "random", Why: "each run has its own source"},
		{Name: "Uint32", Value: shimrand.Rand2Uint32, Needs: "random", Why: "each run has its own source"},
		{Name: "Uint32N", Value: shimrand.Rand2Uint32N, Needs: "random", Why: "each run has its own source"},
		{Name: "Uint64", Value: shimrand.Rand2Uint64, Needs: "random", Why: "each run has its own source"},
		{Name: "Uint64N", Value: shimrand.Rand2Uint64N, Needs: "random", Why: "each run has its own source"},
		{Name: "UintN", Value: shimrand.Rand2UintN, Needs: "random", Why: "each run has its own source"},
	},
}
