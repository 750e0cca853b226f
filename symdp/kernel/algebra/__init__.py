"""Normal forms over exact polynomials, and identities. **Trusted.**"""
