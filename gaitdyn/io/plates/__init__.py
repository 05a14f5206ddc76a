"""Force plates of a recording: parameters, channels, wrenches."""
