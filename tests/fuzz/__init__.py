"""Damaged and forged documents by the thousand: each is refused cleanly, or plays on lawfully."""
