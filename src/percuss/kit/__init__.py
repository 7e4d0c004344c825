"""What every protocol would otherwise write by hand: a protocol takes these defaults, or has a function of the same name."""

from percuss.kit.binding import protocol

__all__ = ["protocol"]
