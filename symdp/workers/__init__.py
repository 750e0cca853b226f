"""Many pieces of work side by side: in processes of this machine, or on the executor of a cluster."""
