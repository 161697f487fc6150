"""Time to an event that not everybody has: what the methods of survival share."""
