"""What tests of a mechanism can reach: regions, their tangents, processing, conversion."""
