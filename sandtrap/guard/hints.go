package guard

// Hints of refusals. A model that is told no tries again, unless it is told that this does not help.
const (
	hintAgain    = "calling it again does not help; "
	hintNever    = hintAgain + "go on without it"
	hintInactive = "no call is made any more: end without it"
	hintRule     = "the same call is refused again: change it, or go on without it"
	hintWithheld = "the call was made, and its results are withheld: do not repeat it"
	hintNo       = "do not repeat the same call: go on without it"
	hintLater    = "go on without it; it may be approved another time"
	hintRecord   = "the run ends"
)
