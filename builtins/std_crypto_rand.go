package builtins

var stdCryptoRand = Package{
	Path: "crypto/rand",
	Members: []Member{
		{Name: "Int", Value: cryptoRandInt, Why: "tries until it finds one"},
		{Name: "Prime", Value: cryptoRandPrime, Why: "tries until it finds one"},
		{Name: "Read", Value: cryptoRandRead, Needs: "random", Why: "the run's random numbers"},
		{Name: "Text", Value: cryptoRandText, Needs: "random", Why: "the run's random numbers"},

		{Name: "Reader", Value: cryptoRandReader, Needs: "random", Why: "the run's random numbers"},
	},
}
