"""Papers in an editor: a server that speaks the Language Server Protocol, and the process that works for it."""
