"""The desk: pages to work in, served on the property's own network."""
