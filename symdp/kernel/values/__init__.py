"""Ranges, points, limits and derivatives of terms. **Trusted.**"""
