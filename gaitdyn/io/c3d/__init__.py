"""C3D files: header, parameters, data, events, poses; points appended."""
