"""Marker model, static trial, joint centres, segment axes, anthropometry."""
