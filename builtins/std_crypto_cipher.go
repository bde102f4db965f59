package builtins

import "crypto/cipher"

var stdCryptoCipher = Package{
	Path:    "crypto/cipher",
	Bounded: "NewCBCDecrypter NewCBCEncrypter NewCFBDecrypter NewCFBEncrypter NewCTR NewGCM NewGCMWithNonceSize NewGCMWithTagSize NewOFB",
	scan:    true,
	Members: []Member{
		{Name: "AEAD", Value: (*cipher.AEAD)(nil)},
		{Name: "Block", Value: (*cipher.Block)(nil)},
		{Name: "BlockMode", Value: (*cipher.BlockMode)(nil)},
		{Name: "Stream", Value: (*cipher.Stream)(nil)},
		{Name: "StreamReader", Value: (*StreamReader)(nil), With: "R Read S"},
		{Name: "StreamWriter", Value: (*StreamWriter)(nil), With: "Close Err S W Write"},

		{Name: "NewCBCDecrypter", Value: cipher.NewCBCDecrypter},
		{Name: "NewCBCEncrypter", Value: cipher.NewCBCEncrypter},
		{Name: "NewCFBDecrypter", Value: cipher.NewCFBDecrypter},
		{Name: "NewCFBEncrypter", Value: cipher.NewCFBEncrypter},
		{Name: "NewCTR", Value: cipher.NewCTR},
		{Name: "NewGCM", Value: cipher.NewGCM},
		{Name: "NewGCMWithNonceSize", Value: cipher.NewGCMWithNonceSize},
		{Name: "NewGCMWithTagSize", Value: cipher.NewGCMWithTagSize},
		{Name: "NewOFB", Value: cipher.NewOFB},
	},
	Denied: []Denial{
		{Names: "NewGCMWithRandomNonce", Why: "takes random numbers of the host's", Instead: "crypto/rand.Read"},
	},
}
