package batches

// Stopped is how many batches are noted as cancelled.
func (m *Manager) Stopped() int { return len(m.allStopped()) }
