"""Many tables online: what a table is there, where it is kept, who plays, and how it is reached."""
