"""Private multi-party computation: parties with one bit each, and what they can learn together."""
