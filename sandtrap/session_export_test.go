package sandtrap

// Tidy lets go of what the session does not need, at once.
func (s *Session) Tidy() { s.tidy(true) }
