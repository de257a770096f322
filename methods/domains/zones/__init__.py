"""Zones over tracked variables and elements of arrays."""

from methods.domains.zones.domain import ZoneDomain
from methods.domains.zones.linear import modulus_of
from methods.domains.zones.precision import EquatedPlaces, TrackedPlaces, cell, renamed, variables
from methods.domains.zones.state import LinearState
from methods.domains.zones.transfer import Transfer
from methods.domains.zones.zone import TOP, Zone

__all__ = [
    "TOP",
    "EquatedPlaces",
    "LinearState",
    "TrackedPlaces",
    "Transfer",
    "Zone",
    "ZoneDomain",
    "cell",
    "modulus_of",
    "renamed",
    "variables",
]
