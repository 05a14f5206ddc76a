"""A laboratory's own error between sessions, from unchanged people measured twice."""
