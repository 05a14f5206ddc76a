"""The lower limb as Plug-in Gait has it."""
