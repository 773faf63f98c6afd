"""The power study: what the detections see, by how much was planted and how long it was watched."""
