"""Zones over tracked variables and elements of arrays."""

from core.domains.zones.domain import ZoneDomain
from core.domains.zones.precision import TrackedPlaces, cell
from core.domains.zones.transfer import Transfer
from core.domains.zones.zone import TOP, Zone

__all__ = ["TOP", "TrackedPlaces", "Transfer", "Zone", "ZoneDomain", "cell"]
