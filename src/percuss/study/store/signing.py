"""The key that signs the ledger: it lies in a file outside the database, so that whoever has the database can't go on writing."""

import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from percuss.core.errors import RunError
from percuss.core.ids import b2

__all__ = ["PRIVATE", "PUBLIC", "Signer", "fingerprint", "made", "signed_by"]

PRIVATE, PUBLIC = "ledger.key", "ledger.pub"
CONTEXT = b"percuss study ledger 2\0"  # a signature made for something else is none of the ledger's


class Signer:
    """Signs hashes with Ed25519.

    Args:
        seed: the private key, 32 bytes.
    """

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._key.public_key().public_bytes_raw().hex()

    def sign(self, digest: str) -> str:
        """Return the signature of a digest, 128 hex digits."""
        return self._key.sign(CONTEXT + digest.encode()).hex()


def signed_by(public: str, digest: str, signature: str) -> bool:
    """Return whether a signature of a digest was made with the private half of a public key (64 hex digits)."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), CONTEXT + digest.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(public: str) -> str:
    """Return the short form of a public key that people compare.

    >>> fingerprint("00" * 32)
    '6296-89ce-890c-265b'
    """
    text = b2("ledger key", public)[:16]
    return "-".join(text[n : n + 4] for n in range(0, 16, 4))


def made(folder: Path) -> Signer:
    """Make a key of a new study: the private half readable for the owner alone, the public half beside it."""
    seed = os.urandom(32)
    signer = Signer(seed)
    for name, data in ((PRIVATE, seed.hex()), (PUBLIC, signer.public)):
        descriptor = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(data + "\n")
    return signer


def read_signer(folder: Path) -> Signer:
    """Return the signer of a study.

    Raises:
        RunError: the key is missing or broken, or is not the other half of `ledger.pub`.
    """
    try:
        signer = Signer(bytes.fromhex((folder / PRIVATE).read_text(encoding="ascii").strip()))
        fits = (folder / PUBLIC).read_text(encoding="ascii").strip() == signer.public
    except (OSError, ValueError):
        fits = False
    if not fits:
        raise RunError(
            f"{folder / PRIVATE} is missing, broken or not the key of {PUBLIC}; restore both from your backup, "
            "for without them nothing can be written into this study's ledger"
        )
    return signer
