"""An episode as one file: written from one installation, verified whole and taken into another.

A bundle is a tar archive under zstd, behind a skippable frame of zstd that seals it: `zstd -dc FILE | tar -t`
lists it. The seal is the SHA-256 of all that follows. It shows damage; it is no signature.
"""
