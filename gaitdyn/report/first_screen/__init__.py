"""The first screen: what is abnormal, what changed, and what can be trusted."""
