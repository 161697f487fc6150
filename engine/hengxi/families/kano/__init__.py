"""Kano's model, on which two methods stand."""
