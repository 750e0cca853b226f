"""The rules. **Trusted.**"""
