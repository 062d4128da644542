"""An episode for other people's tools: as an MCAP file that Foxglove opens, and as lines of JSON."""
