package script

// A command is a command line with placeholders.
type command struct{}

func (c command) argv(program string, value func(string) []string) []string { return nil }
func (c command) placeholders() []string                                     { return nil }
