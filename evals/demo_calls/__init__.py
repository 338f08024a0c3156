"""Many simulated calls, each held against the truth: the ledger right, nothing asked twice, every call ended."""
