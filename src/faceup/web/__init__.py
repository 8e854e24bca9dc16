"""The web page: ES modules, styles and pictures, served as they are. `README.md` describes the folders."""
