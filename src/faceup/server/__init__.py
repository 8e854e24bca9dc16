"""Many tables online: the log whose fold they are, deadlines, everybody's own stream, people and their sessions."""
