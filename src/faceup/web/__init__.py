"""The page: plain ES modules, styles and pictures, served as they are. `README.md` here says where things are."""
