"""The processes beside a server's own. They load nothing that a server alone needs, so that they start at once."""
