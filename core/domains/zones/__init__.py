"""Zones over tracked variables and elements of arrays."""

from core.domains.zones.domain import ZoneDomain
from core.domains.zones.linear import modulus_of
from core.domains.zones.precision import TrackedPlaces, cell
from core.domains.zones.state import LinearState
from core.domains.zones.transfer import Transfer
from core.domains.zones.zone import TOP, Zone

__all__ = ["TOP", "LinearState", "TrackedPlaces", "Transfer", "Zone", "ZoneDomain", "cell", "modulus_of"]
