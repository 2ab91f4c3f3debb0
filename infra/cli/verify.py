#!/usr/bin/env python3
"""Checks a finished draw of Blockdraw, written a second time: nothing but Python 3.9 and its standard library.

    python3 verify.py --site https://raffle.example --event 1 --rpc https://bsc.example
    python3 verify.py --proof proof.json --ledger ledger.csv [--rpc https://bsc.example]

  --rpc        an endpoint of the chain that you trust; without it the files alone are checked
  --full       every payment and every block of the sale, not a random sample of a long list
  --content FILE the saved answer of raffle/content/{event}: what is raffled is compared with its SHA-256 in the terms
  --state FILE remembers how far it came, to go on from there when it is run again
  What you noted while tickets were sold, to be compared with the proof:
  --terms LINE the terms line as it was shown, or a file of such lines; may be given several times
  --wallet 0x... --price 3 --sale-start DATE --sale-end DATE --draw-date DATE
  Where tickets were not paid in USDT on BNB Smart Chain:
  --chain 97 --token 0x...
  Where the draw mixes in another beacon than drand's quicknet, as a local trial does:
  --beacon-key HEX [--beacon-genesis SECONDS]

Exit code: 0 verified (every step was done, and passed), 1 contradicted (a step failed), 2 incomplete (nothing
contradicts the draw, but a step was not done, or for a part alone), 64 nothing could be checked: bad options, or no
proof and list were there.
"""

# The other verifier (`bun run verify`, and the panel of the page) is TypeScript. This one shares neither code nor
# tables with it, so that a mistake in one of them shows as a difference. It is one long file on purpose: a buyer can
# keep it beside the proof and run it in ten years, with nothing to install. Its parts, in order: hashes, the curve of
# the beacon, forms (proof, terms, list), the rules of the draw, the endpoint, the steps, the command.

import argparse
import bisect
import calendar
import concurrent.futures
import functools
import hashlib
import http.client
import json
import os
import random
import re
import socket
import ssl
import sys
import threading
import time
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
from collections import namedtuple

# ---------------------------------------------------------------------------------------------------------------------
# Hashes: keccak-256, RLP, the hash of a header, bloom filters
# ---------------------------------------------------------------------------------------------------------------------


def sha256(data):
    return hashlib.sha256(data).digest()


def _keccak_constants():
    """Round constants by the shift register of FIPS 202, and rotations by its walk over the lanes."""
    constants, register = [], 1
    for _ in range(24):
        constant = 0
        for power in range(7):
            if register & 1:
                constant |= 1 << ((1 << power) - 1)
            register <<= 1
            if register & 0x100:
                register ^= 0x171
        constants.append(constant)
    rotations, x, y = {(0, 0): 0}, 1, 0
    for step in range(24):
        rotations[x, y] = (step + 1) * (step + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    # Lane x + 5y goes, rotated, to the place y + 5(2x + 3y).
    moves = [(x + 5 * y, y + 5 * ((2 * x + 3 * y) % 5), rotations[x, y]) for x in range(5) for y in range(5)]
    return constants, moves


_ROUNDS, _MOVES = _keccak_constants()
_WORD = 2**64 - 1


def _permute(lanes):
    for constant in _ROUNDS:
        columns = [lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)]
        mixed = []
        for x in range(5):
            right = columns[(x + 1) % 5]
            mixed.append(columns[x - 1] ^ ((right << 1 | right >> 63) & _WORD))
        moved = [0] * 25
        for source, target, shift in _MOVES:
            lane = lanes[source] ^ mixed[source % 5]
            moved[target] = (lane << shift | lane >> (64 - shift)) & _WORD
        for row in range(0, 25, 5):
            a, b, c, d, e = moved[row : row + 5]
            lanes[row] = a ^ (~b & c)
            lanes[row + 1] = b ^ (~c & d)
            lanes[row + 2] = c ^ (~d & e)
            lanes[row + 3] = d ^ (~e & a)
            lanes[row + 4] = e ^ (~a & b)
        lanes[0] ^= constant


def keccak256(data):
    """Keccak-256 as Ethereum uses it: the padding of 2011, not that of SHA-3."""
    rate = 136
    padded = bytearray(data)
    padded.append(1)
    padded.extend(bytes(-len(padded) % rate))
    padded[-1] |= 0x80
    lanes = [0] * 25
    for start in range(0, len(padded), rate):
        for lane in range(rate // 8):
            at = start + 8 * lane
            lanes[lane] ^= int.from_bytes(padded[at : at + 8], "little")
        _permute(lanes)
    return b"".join(lane.to_bytes(8, "little") for lane in lanes[:4])


def rlp(item):
    """Recursive Length Prefix of bytes, or of a list of items."""
    if isinstance(item, bytes):
        if len(item) == 1 and item[0] < 0x80:
            return item
        return _rlp_length(len(item), 0x80) + item
    body = b"".join(rlp(each) for each in item)
    return _rlp_length(len(body), 0xC0) + body


def _rlp_length(length, offset):
    if length < 56:
        return bytes([offset + length])
    digits = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([offset + 55 + len(digits)]) + digits


# The header in the order in which it is hashed. Every header has the first fifteen; forks have added the others one
# behind the other, so one that is missing is followed by none.
_HEADER = (
    "parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed "
    "timestamp extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot "
    "requestsHash"
).split()
_NUMBERS = set("difficulty number gasLimit gasUsed timestamp baseFeePerGas blobGasUsed excessBlobGas".split())


def header_hash(told):
    """The hash of a header's fields, as `0x...`; None where an endpoint does not tell all that every header has."""
    values = []
    for place, name in enumerate(_HEADER):
        text = told.get(name)
        if text is None and place >= 15:
            break
        if not isinstance(text, str) or not re.fullmatch("0x[0-9a-fA-F]*", text):
            return None
        digits = text[2:].lstrip("0") if name in _NUMBERS else text[2:]
        if name in _NUMBERS and len(digits) % 2:
            digits = "0" + digits
        if len(digits) % 2:
            return None
        values.append(bytes.fromhex(digits))
    return "0x" + keccak256(rlp(values)).hex()


def bloom_bits(value):
    """The three bits that a value sets in a bloom filter of 2048 bits, as one number."""
    digest = keccak256(value)
    bits = 0
    for at in (0, 2, 4):
        bits |= 1 << (int.from_bytes(digest[at : at + 2], "big") % 2048)
    return bits


# ---------------------------------------------------------------------------------------------------------------------
# The beacon's curve: BLS12-381, signatures on G1, keys on G2
# ---------------------------------------------------------------------------------------------------------------------

P = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
# Order of G1 and G2, and the parameter of the family (it is negative; only its size is used).
ORDER = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
Z = 0xD201000000010000
G2_GENERATOR = bytes.fromhex(
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)
SIGNATURE_DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


class NoPoint(ValueError):
    """The bytes are no point of the group in its one form."""


def sqrt_p(value):
    """A square root modulo P (P = 3 mod 4), or None."""
    root = pow(value, (P + 1) // 4, P)
    return root if root * root % P == value % P else None


# The field of P^2 elements: pairs (a, b) for a + b*u, with u^2 = -1. The twist's constant is 1 + u.


def mul2(a, b):
    return (a[0] * b[0] - a[1] * b[1]) % P, (a[0] * b[1] + a[1] * b[0]) % P


def inverse2(a):
    scale = pow(a[0] * a[0] + a[1] * a[1], -1, P)
    return a[0] * scale % P, -a[1] * scale % P


def sqrt2(a):
    """A square root of a pair, or None: through the root of its norm."""
    norm = sqrt_p(a[0] * a[0] + a[1] * a[1])
    if norm is None:
        return None
    for sign in (norm, -norm):
        real = sqrt_p((a[0] + sign) * (P + 1) // 2)
        if real is None:
            continue
        if real == 0:
            imaginary = sqrt_p(-a[0])
            root = None if imaginary is None else (0, imaginary)
        else:
            root = (real, a[1] * pow(2 * real, -1, P) % P)
        if root is not None and mul2(root, root) == (a[0] % P, a[1] % P):
            return root
    return None


# Points are (x, y), None for infinity; over pairs for G2, over numbers for G1. Affine formulas, as one check needs only
# some hundred additions.


class Curve:
    """y^2 = x^3 + a*x + b over a field that is given by what is done in it."""

    def __init__(self, a, b, mul, inverse, plus):
        self.a, self.b, self.mul, self.inverse, self.plus = a, b, mul, inverse, plus

    def right_side(self, x):
        return self.plus(self.mul(self.plus(self.mul(x, x), self.a), x), self.b)

    def slope(self, p, q):
        """Of the line through two points, or of the tangent; None where it is vertical."""
        mul, plus = self.mul, self.plus
        if p[0] != q[0]:
            return mul(plus(q[1], p[1], -1), self.inverse(plus(q[0], p[0], -1)))
        double = plus(p[1], p[1])
        if p[1] != q[1] or double in (0, (0, 0)):
            return None
        square = mul(p[0], p[0])
        return mul(plus(plus(plus(square, square), square), self.a), self.inverse(double))

    def add(self, p, q):
        if p is None or q is None:
            return q if p is None else p
        slope = self.slope(p, q)
        return None if slope is None else self.third(p, q, slope)

    def third(self, p, q, slope):
        mul, plus = self.mul, self.plus
        x = plus(plus(mul(slope, slope), p[0], -1), q[0], -1)
        return x, plus(mul(slope, plus(p[0], x, -1)), p[1], -1)

    def times(self, count, point):
        result = None
        for bit in bin(count)[2:]:
            result = self.add(result, result)
            if bit == "1":
                result = self.add(result, point)
        return result


def _prime_curve(a, b):
    return Curve(
        a, b, lambda x, y: x * y % P, lambda x: pow(x, -1, P), lambda x, y, sign=1: (x + sign * y) % P
    )


G1 = _prime_curve(0, 4)
G2 = Curve(
    (0, 0), (4, 4), mul2, inverse2, lambda x, y, sign=1: ((x[0] + sign * y[0]) % P, (x[1] + sign * y[1]) % P)
)


def point_of(data, size):
    """
    The point of G1 (48 bytes) or G2 (96 bytes) in compressed form. Refuses infinity, a coordinate that is not below P
    (it would be a second form of the same point, with another SHA-256), and points outside the subgroup of prime order.
    """
    if len(data) != size or data[0] & 0xC0 != 0x80:
        raise NoPoint("It is no compressed point.")
    is_larger = bool(data[0] & 0x20)
    parts = [int.from_bytes(data[at : at + 48], "big") for at in range(0, size, 48)]
    parts[0] &= 2**381 - 1
    if any(part >= P for part in parts):
        raise NoPoint("A coordinate is not below the prime.")
    if size == 48:
        curve, x = G1, parts[0]
        y = sqrt_p(curve.right_side(x))
        other = None if y is None else -y % P
        larger = y is not None and y > other
    else:
        # The imaginary part comes first, and decides first which of both roots is the larger one.
        curve, x = G2, (parts[1], parts[0])
        y = sqrt2(curve.right_side(x))
        other = None if y is None else (-y[0] % P, -y[1] % P)
        larger = y is not None and (y[1], y[0]) > (other[1], other[0])
    if y is None:
        raise NoPoint("It is not on the curve.")
    point = (x, y if larger == is_larger else other)
    if curve.times(ORDER, point) is not None:
        raise NoPoint("It is outside the subgroup.")
    return point


# Hashing to G1 by RFC 9380: two field elements from the message, each mapped to a curve E' that has a point for every
# element, then the isogeny of degree 11 from E' to the curve, then into the subgroup.

_ISO_A = 0x144698A3B8E9433D693A02C96D4982B0EA985383EE66A8D8E8981AEFD881AC98936F8DA0E0F97F5CF428082D584C1D
_ISO_B = 0x12E2908D11688030018B12E8753EEE3B2016C1F0F24F4070A0B9C14FCEF35EF55A23215A316CEAA5D1CC48E98E172BE0
_SSWU_Z = 11
_COFACTOR = 0x396C8C005555E1568C00AAAB0000AAAB
_ISO = _prime_curve(_ISO_A, _ISO_B)


@functools.lru_cache(maxsize=None)
def _isogeny():
    """
    The isogeny by Velu's formulas in place of the RFC's tables. Its kernel is the one subgroup of order 11 of E':
    the points of a power of 11 are a cyclic group of 121. Behind it the curve y^2 = x^3 + B is scaled onto
    y^2 = x^3 + 4; of the six factors that do this the RFC takes the one below.
    """
    x, kernel = 0, None
    while kernel is None:
        x += 1
        y = sqrt_p(_ISO.right_side(x))
        if y is not None:
            kernel = _ISO.times(_COFACTOR * ORDER // 11, (x, y))
    terms, b, point = [], _ISO_B, kernel
    for _ in range(5):
        x, y = point
        t, u = (6 * x * x + 2 * _ISO_A) % P, 4 * y * y % P
        terms.append((x, t, u))
        b -= 7 * (u + x * t)
        point = _ISO.add(point, kernel)
    if (_ISO_A - 5 * sum(t for _, t, _ in terms)) % P or (pow(_ISO_SCALE, 6, P) * b - 4) % P:
        raise ArithmeticError("The isogeny does not lead to the curve.")
    return terms


_ISO_SCALE = 0x17A3E1BDA8A2D1A38A19241A0EA1E2F25B552D6197903F96BAE690EF6BE6B1381BE22E8A72A9745CD7A1FFFFFFFFB26D


def _apply_isogeny(point):
    x, y = point
    new_x, factor = x, 1
    for kernel_x, t, u in _isogeny():
        near = pow(x - kernel_x, -1, P)
        square = near * near % P
        new_x += t * near + u * square
        factor -= (t + 2 * u * near) * square
    return new_x * _ISO_SCALE**2 % P, y * factor * _ISO_SCALE**3 % P


def _map_to_curve(u):
    """Simplified SWU: a point of E' for every field element."""
    inner = _SSWU_Z * u * u % P
    denominator = (inner * inner + inner) % P
    if denominator:
        x = -_ISO_B * (1 + pow(denominator, -1, P)) * pow(_ISO_A, -1, P) % P
    else:
        x = _ISO_B * pow(_SSWU_Z * _ISO_A, -1, P) % P
    y = sqrt_p(_ISO.right_side(x))
    if y is None:
        x = inner * x % P
        y = sqrt_p(_ISO.right_side(x))
    return x, y if y % 2 == u % 2 else -y % P


def _expand(message, domain, length):
    """expand_message_xmd with SHA-256."""
    suffix = domain + bytes([len(domain)])
    first = sha256(bytes(64) + message + length.to_bytes(2, "big") + b"\0" + suffix)
    block = sha256(first + b"\1" + suffix)
    result = block
    for count in range(2, length // 32 + 1):
        block = sha256(bytes(a ^ b for a, b in zip(first, block)) + bytes([count]) + suffix)
        result += block
    return result


def hash_to_g1(message, domain=SIGNATURE_DOMAIN):
    stream = _expand(message, domain, 128)
    points = [_map_to_curve(int.from_bytes(stream[at : at + 64], "big") % P) for at in (0, 64)]
    return G1.times(Z + 1, _apply_isogeny(_ISO.add(*points)))


# The field of P^12 elements: six pairs, the coefficients of w^0 ... w^5, with w^6 = 1 + u.

_ONE12 = ((1, 0),) + ((0, 0),) * 5


def mul12(a, b):
    real, imaginary = [0] * 11, [0] * 11
    for i, (c, d) in enumerate(a):
        if not c and not d:
            continue
        for j, (e, f) in enumerate(b):
            real[i + j] += c * e - d * f
            imaginary[i + j] += c * f + d * e
    for high in range(6, 11):
        real[high - 6] += real[high] - imaginary[high]
        imaginary[high - 6] += real[high] + imaginary[high]
    return tuple((real[i] % P, imaginary[i] % P) for i in range(6))


def _conjugate(a):
    """a^(P^6): w becomes -w."""
    return tuple(pair if i % 2 == 0 else (-pair[0] % P, -pair[1] % P) for i, pair in enumerate(a))


_FROBENIUS = [pow(2, i * ((P - 1) // 6), P) for i in range(6)]


def _frobenius(a):
    """a^(P^2): w becomes w * (1 + u)^((P^2 - 1) / 6), which is 2^((P - 1) / 6)."""
    return tuple((c * scale % P, d * scale % P) for (c, d), scale in zip(a, _FROBENIUS))


def _inverse12(a):
    half = mul12(a, _conjugate(a))
    second, third = _frobenius(half), _frobenius(_frobenius(half))
    rest = mul12(second, third)
    norm = inverse2(mul12(half, rest)[0])
    scaled = mul12(_conjugate(a), rest)
    return tuple(mul2(pair, norm) for pair in scaled)


def _miller(pairs):
    """Product of the Miller loops of (point of G1, point of G2), over the bits of Z (optimal ate)."""
    result, points = _ONE12, [q for _, q in pairs]
    for bit in bin(Z)[3:]:
        result = mul12(result, result)
        for doing in ("double", "add") if bit == "1" else ("double",):
            for at, (p, q) in enumerate(pairs):
                t = points[at]
                other = t if doing == "double" else q
                slope = G2.slope(t, other)
                points[at] = G2.third(t, other, slope)
                result = mul12(_line(t, slope, p), result)
    return result


def _line(t, slope, p):
    """The line through the untwisted t with this slope, at p, times w^3: that factor vanishes in the last power."""
    xt = mul2(slope, t[0])
    constant = ((xt[0] - t[1][0]) % P, (xt[1] - t[1][1]) % P)
    return constant, (0, 0), (-slope[0] * p[0] % P, -slope[1] * p[0] % P), (p[1], 0), (0, 0), (0, 0)


def pairings_cancel(pairs):
    """Whether the product of the pairings is one, by one power of (P^12 - 1) / ORDER for all of them."""
    value = _miller(pairs)
    value = mul12(_conjugate(value), _inverse12(value))
    value = mul12(_frobenius(value), value)
    power = _ONE12
    for bit in bin((P**4 - P**2 + 1) // ORDER)[2:]:
        power = mul12(power, power)
        if bit == "1":
            power = mul12(power, value)
    return power == _ONE12


@functools.lru_cache(maxsize=64)
def _key_point(key):
    return point_of(key, 96)


@functools.lru_cache(maxsize=4096)
def is_signature(key, beacon_round, signature):
    """Whether these 48 bytes are the signature of a round, by a key of 96 bytes."""
    try:
        point = point_of(signature, 48)
        public = _key_point(key)
    except NoPoint:
        return False
    message = hash_to_g1(sha256(beacon_round.to_bytes(8, "big")))
    negative = (point[0], -point[1] % P)
    return pairings_cancel([(message, public), (negative, _key_point(G2_GENERATOR))])


# ---------------------------------------------------------------------------------------------------------------------
# Forms: the proof, the terms line, the list
# ---------------------------------------------------------------------------------------------------------------------

CHAIN_ID = 56
USDT = "0x55d398326f99059ff775485246999027b3197955"
REGISTER = "0x286ae09cf3f6cbddd7c4dded65883189a73dbffd"
TRANSFER_TOPIC = "0x" + keccak256(b"Transfer(address,address,uint256)").hex()
ANCHORED_TOPIC = "0x" + keccak256(b"Anchored(address,bytes32,uint256,bytes32)").hex()
LARGEST_DOWNLOAD = 512 * 2**20
LARGEST_CONTENT = 2**21
MOST_TICKETS = 2_000_000_000
MOST_WINNERS = 20
RESERVES = 3
LARGEST_WHOLE = 2**53 - 1
DAY = 86_400

HASH = "0x[0-9a-f]{64}"
ADDRESS = "0x[0-9a-f]{40}"
AMOUNT = "0|[1-9][0-9]{0,77}"


class FormError(ValueError):
    """The text is no valid proof; the message names the field."""


def seconds_of(text):
    """Unix seconds of `YYYY-MM-DDTHH:MM:SS.000Z`; None for anything else, and for days that no calendar has."""
    form = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.000Z"
    if not isinstance(text, str) or not re.fullmatch(form, text):
        return None
    parts = [int(part) for part in re.findall("[0-9]+", text)[:6]]
    year, month, day, hours, minutes, seconds = parts
    if not (year and 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]):
        return None
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    return calendar.timegm((year, month, day, hours, minutes, seconds))


def matches(pattern):
    compiled = re.compile(pattern)
    return lambda value, name: isinstance(value, str) and bool(compiled.fullmatch(value))


def whole(least):
    return lambda value, name: type(value) is int and least <= value <= LARGEST_WHOLE


def list_of(shape, least, most):
    def check(value, name):
        if not isinstance(value, list) or not least <= len(value) <= most:
            return False
        for index, item in enumerate(value):
            check_shape(item, "%s[%d]" % (name, index), shape)
        return True

    return check


def or_none(shape):
    def check(value, name):
        if value is not None:
            check_shape(value, name, shape)
        return True

    return check


def is_date(value, name):
    return seconds_of(value) is not None


def is_boolean(value, name):
    return isinstance(value, bool)


_BLOCK = {"number": whole(0), "hash": matches(HASH), "timestamp": whole(0)}
_WINNER = {
    "walletAddress": matches(ADDRESS),
    "transactionHash": matches(HASH),
    "ticketNumber": whole(1),
    "ticketCount": whole(1),
}
_PROOF = {
    "version": lambda value, name: type(value) is int and value == 2,
    "eventNumber": whole(1),
    "chainId": whole(1),
    "token": matches(ADDRESS),
    "operatorWallet": matches(ADDRESS),
    "ticketPrice": matches("[1-9][0-9]{0,77}"),
    "saleStart": is_date,
    "saleEndDate": is_date,
    "drawDate": is_date,
    "terms": lambda value, name: parse_terms(value) is not None,
    "commitment": matches(HASH),
    "ticketsSold": whole(1),
    "ledger": {"sha256": matches(HASH), "lines": whole(1)},
    "ownWallets": list_of({"address": matches(ADDRESS), "since": is_date}, 0, LARGEST_WHOLE),
    "secondReading": is_boolean,
    "anchor": or_none({"transactionHash": matches(HASH), "blockNumber": whole(0), "timestamp": whole(0)}),
    "entropy": matches(r"blocks(\+drand)?"),
    "blocks": list_of(_BLOCK, 5, 5),
    "miners": list_of(matches(ADDRESS), 5, 5),
    "blockSeed": matches(HASH),
    "beacon": or_none(
        {
            "network": matches("quicknet|blockdraw-local"),
            "chainHash": matches(HASH),
            "round": whole(1),
            "time": whole(0),
            "after": _BLOCK,
            "signature": matches("0x[0-9a-f]{96}"),
            "randomness": matches(HASH),
        }
    ),
    "seed": matches(HASH),
    "counter": whole(0),
    "randomNumber": matches(AMOUNT),
    "winningTicket": whole(1),
    "winner": _WINNER,
    "winners": list_of(_WINNER, 1, MOST_WINNERS),
    "reserves": list_of(_WINNER, 0, RESERVES),
}


def check_shape(value, name, shape):
    if callable(shape):
        if shape(value, name):
            return
    elif isinstance(value, dict):
        for key in value:
            if key not in shape:
                raise FormError("%s has a field that no proof has: %s." % (name, key[:40]))
        for key, inner in shape.items():
            check_shape(value.get(key, ...), key if name == "proof" else name + "." + key, inner)
        return
    raise FormError("%s is missing or not in its one form." % name)


_SPACE = re.compile(r'("(?:[^"\\]|\\.)*")|[ \t\r\n]+')


def parse_json(text):
    """
    JSON in its one form but for white space: no name twice, whole numbers alone, no escape that is not needed. Whatever
    two programs could read differently is refused.
    """

    def unique(pairs):
        found = dict(pairs)
        if len(found) < len(pairs):
            raise FormError("The proof has a field twice.")
        return found

    def number(digits):
        # -0 is another number than 0 for some programs, and longer ones are rounded by some.
        if digits == "-0" or len(digits) > 20:
            raise FormError("The proof has a number that is not in its one form.")
        return int(digits)

    def refuse(digits):
        raise FormError("The proof has a number that is not in its one form.")

    try:
        value = json.loads(
            text, object_pairs_hook=unique, parse_int=number, parse_float=refuse, parse_constant=refuse
        )
        again = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except FormError:
        raise
    except (ValueError, RecursionError):
        raise FormError("The proof is not JSON.") from None
    if again != _SPACE.sub(lambda match: match.group(1) or "", text):
        raise FormError("The proof has a value that is not in its one form.")
    return value


_INDEX = re.compile("[0-9]+")


def is_plain(value, depth=16):
    """Whole numbers, whole signs, no names that some programs put first, and no deep nest."""
    if isinstance(value, bool) or value is None:
        return True
    if isinstance(value, int):
        return abs(value) <= LARGEST_WHOLE
    if isinstance(value, str):
        return not any("\ud800" <= each <= "\udfff" for each in value)
    if depth == 0:
        return False
    if isinstance(value, dict):
        if not all(is_plain(name, 1) and not _INDEX.fullmatch(name) for name in value):
            return False
        value = value.values()
    return all(is_plain(each, depth - 1) for each in value)


def promised_by(content):
    """RFC 8785 JSON of what a content promises, whatever else it holds; None for what is no content."""

    def fields(value):
        return value if isinstance(value, dict) else {}

    def text(value):
        if not isinstance(value, str):
            raise FormError("This is no content.")
        return value

    def whole_number_of(value):
        if type(value) is not int:
            raise FormError("This is no content.")
        return value

    def items(value, most=100):
        if not isinstance(value, list) or len(value) > most:
            raise FormError("This is no content.")
        return value

    def both(value):
        return {"en": text(fields(value).get("en")), "ko": text(fields(value).get("ko"))}

    def prize(value):
        told = fields(value)
        return {
            "name": both(told.get("name")),
            "value": text(told.get("value")),
            "kind": text(told.get("kind")),
            "about": both(told.get("about")),
            "amount": None if told.get("amount", ...) is None else whole_number_of(told.get("amount")),
            "copies": whole_number_of(told.get("copies")),
            "facts": [
                {"name": both(fields(fact).get("name")), "value": both(fields(fact).get("value"))}
                for fact in items(told.get("facts"))
            ],
            "pictures": [text(fields(picture).get("sha256")) for picture in items(told.get("pictures"))],
        }

    told = fields(content)
    try:
        promised = {
            "title": both(told.get("title")),
            "prizes": [prize(each) for each in items(told.get("prizes"), MOST_WINNERS)],
        }
    except FormError:
        return None
    # All names are of ASCII letters, so their order is that of UTF-16 units.
    return json.dumps(promised, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def parse_proof(text):
    """Strict: every field, no other field, each in its one form. Raises FormError."""
    proof = parse_json(text)
    check_shape(proof, "proof", _PROOF)
    addresses = [wallet["address"] for wallet in proof["ownWallets"]]
    if any(one >= other for one, other in zip(addresses, addresses[1:])):
        raise FormError("ownWallets is missing or not in its one form.")
    if not seconds_of(proof["saleStart"]) < seconds_of(proof["saleEndDate"]) < seconds_of(proof["drawDate"]):
        raise FormError("saleStart, saleEndDate and drawDate are not in order.")
    if (proof["beacon"] is None) != (proof["entropy"] == "blocks"):
        raise FormError("entropy and beacon do not belong together.")
    for index, block in enumerate(proof["blocks"]):
        if block["number"] != proof["blocks"][0]["number"] + index:
            raise FormError("blocks[%d].number does not follow the block before." % index)
    return proof


_NUMBER_OR_NONE = "none|0|[1-9][0-9]{0,15}"
_HASH_OR_NONE = "none|" + HASH
TERMS = {
    "eventNumber": AMOUNT,
    "chainId": AMOUNT,
    "token": ADDRESS,
    "operatorWallet": "none|" + ADDRESS,
    "anchorWallet": "none|" + ADDRESS,
    "ticketPrice": AMOUNT,
    "saleStart": AMOUNT,
    "saleEnd": _NUMBER_OR_NONE,
    "drawDate": _NUMBER_OR_NONE,
    "drawBy": _NUMBER_OR_NONE,
    "dateBy": _NUMBER_OR_NONE,
    "minTickets": AMOUNT,
    "autoDraw": "true|false",
    "entropy": r"blocks(\+drand)?",
    "winners": AMOUNT,
    "claimDays": AMOUNT,
    "maxTickets": _NUMBER_OR_NONE,
    "maxPerWallet": _NUMBER_OR_NONE,
    "ownWalletsSha256": _HASH_OR_NONE,
    "contentSha256": _HASH_OR_NONE,
}


def parse_terms(line):
    """The values of a terms line by their names; None for a text that is no such line, in its one form."""
    if not isinstance(line, str) or not line.endswith("\n"):
        return None
    first, *values = line[:-1].split(",")
    if first != "blockdraw-terms-1" or len(values) != len(TERMS):
        return None
    for value, pattern in zip(values, TERMS.values()):
        if not re.fullmatch(pattern, value):
            return None
    return dict(zip(TERMS, values))


def own_wallets_sha256(wallets):
    """Of the list of (since, address), oldest first; `none` for an empty one."""
    text = "".join("%s,%d\n" % (address, since) for since, address in sorted(wallets))
    return "0x" + sha256(text.encode()).hex() if text else "none"


def own_wallets_of(proof):
    return [(seconds_of(wallet["since"]), wallet["address"]) for wallet in proof["ownWallets"]]


def draw_by(draw_date, entropy):
    return draw_date + (7 if entropy == "blocks" else 8) * DAY


LEDGER_HEADER = b"ticketNumber,ticketCount,transactionHash,payer,value,blockNumber,transactionIndex"
LONGEST_LINE = 300
_LINE = re.compile(
    "([1-9][0-9]{0,14}),([1-9][0-9]{0,14}),(%s),(%s),([1-9][0-9]{0,77}),(0|[1-9][0-9]{0,18}),(0|[1-9][0-9]{0,8})"
    % (HASH, ADDRESS)
)
Line = namedtuple("Line", "ticket count transaction payer value block index")


def parse_line(text):
    """A line of the list, given without its end; None if it is not in its one form."""
    match = _LINE.fullmatch(text)
    if not match:
        return None
    ticket, count, transaction, payer, value, block, index = match.groups()
    return Line(int(ticket), int(count), transaction, payer, int(value), int(block), int(index))


# ---------------------------------------------------------------------------------------------------------------------
# The rules of the draw
# ---------------------------------------------------------------------------------------------------------------------

SEEDS = 2**256
BEACON_GAP = 60
BEACON_DEPTH = 32

Network = namedtuple("Network", "name chain_hash key genesis")
PERIOD = 3
QUICKNET = Network(
    "quicknet",
    "0x52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    bytes.fromhex(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc2"
        "2b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    1_692_803_367,
)


def chain_hash(key, genesis, genesis_seed, name):
    """drand's hash of a network's parameters: it commits to the key."""
    parts = (PERIOD.to_bytes(4, "big"), genesis.to_bytes(8, "big"), key, genesis_seed, name.encode())
    return "0x" + sha256(b"".join(parts)).hex()


def local_network(key, genesis):
    name = "blockdraw-local"
    return Network(name, chain_hash(key, genesis, sha256(name.encode()), name), key, genesis)


def first_round(moment, genesis):
    """The first round that is due at this time or later."""
    return 1 if moment <= genesis else -(-(moment - genesis) // PERIOD) + 1


def round_time(beacon_round, genesis):
    return genesis + (beacon_round - 1) * PERIOD


def round_of_draw(draw_date, time_after, genesis):
    return first_round(max(draw_date + BEACON_GAP, time_after + 1), genesis)


def unhex(text):
    return bytes.fromhex(text[2:])


def block_seed(proof):
    return sha256(b"".join(unhex(block["hash"]) for block in proof["blocks"]))


def first_seed(proof):
    """The block seed itself, or with the beacon's randomness and the list's fingerprint behind it."""
    if proof["beacon"] is None:
        return block_seed(proof)
    return sha256(block_seed(proof) + unhex(proof["beacon"]["randomness"]) + unhex(proof["ledger"]["sha256"]))


def accepted(seed, tickets):
    """The seed that favours no ticket, and how many were refused before it."""
    counter = 0
    while int.from_bytes(seed, "big") >= SEEDS - SEEDS % tickets:
        counter += 1
        seed = sha256(seed + counter.to_bytes(4, "big"))
    return seed, counter


def place_among(seed, kind, k, tickets):
    """1 ... tickets: the place of winner or reserve k among the tickets that are left."""
    attempt = 0
    while True:
        number = int.from_bytes(sha256(seed + kind + k.to_bytes(4, "big") + attempt.to_bytes(4, "big")), "big")
        if number < SEEDS - SEEDS % tickets:
            return number % tickets + 1
        attempt += 1


def draw_all(seed, winning_ticket, count, texts, tickets_sold):
    """The lines of the winners and of the reserves, in their order, each of another payer."""
    starts = [int(text[: text.index(",")]) for text in texts]
    taken = []

    def take(ticket):
        line = parse_line(texts[bisect.bisect_right(starts, ticket) - 1])
        column = ",%s," % line.payer
        for text in texts:
            if column in text:
                other = parse_line(text)
                taken.append((other.ticket, other.count))
        taken.sort()
        return line

    def draw(kind, k):
        left = tickets_sold - sum(held for _, held in taken)
        if left == 0:
            return None
        ticket = place_among(seed, kind, k, left)
        for start, held in taken:
            if start > ticket:
                break
            ticket += held
        return take(ticket)

    winners = [take(winning_ticket)]
    winners += [draw(b"winner", k) for k in range(2, count + 1)]
    reserves = [draw(b"reserve", k) for k in range(1, RESERVES + 1)]
    return [line for line in winners if line], [line for line in reserves if line]


# ---------------------------------------------------------------------------------------------------------------------
# The endpoint
# ---------------------------------------------------------------------------------------------------------------------

TIMEOUT = 15
LONGEST_ANSWER = 60
LONGEST_DOWNLOAD = 3600
ATTEMPTS = 3
CONFIRMATIONS = 240
AT_ONCE = 6
FORGOTTEN = re.compile("prun|histor|archive|missing trie|(block|header) not found|unknown block", re.IGNORECASE)


class EndpointError(Exception):
    """The endpoint refused a question, or did not answer it."""


class AnswerError(EndpointError):
    """The answer is malformed, or the endpoint does not know something that must exist."""


class HistoryError(AnswerError):
    """The endpoint no longer has data this old: another one may."""


def _shut(connected):
    try:
        connected.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


Header = namedtuple("Header", "number hash timestamp told")
Log = namedtuple("Log", "address topics data block transaction index log is_removed")
Receipt = namedtuple("Receipt", "transaction is_success index logs")


class Endpoint:
    """A JSON-RPC endpoint. No message holds its address, which may carry a key."""

    def __init__(self, url):
        parts = parts_of(url, "--rpc is an address such as https://bsc.example.")
        self.is_secure = parts.scheme == "https"
        self.host, self.port = parts.hostname, parts.port
        self.path = (parts.path or "/") + ("?" + parts.query if parts.query else "")
        self.own = threading.local()
        self.headers = {}
        self.attempts = ATTEMPTS

    def ask(self, method, *params):
        """Retried on a lost connection or an unreadable answer, but once it is silent not again for every question."""
        question = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        attempts = self.attempts
        for attempt in range(1, attempts + 1):
            try:
                answer = json.loads(self._post(question))
            except (OSError, http.client.HTTPException, ValueError, RecursionError):
                self._hang_up()
                if attempt == attempts:
                    self.attempts = 1
                    raise EndpointError("%s was not answered." % method) from None
                time.sleep(0.2 * attempt)
                continue
            self.attempts = ATTEMPTS
            if not isinstance(answer, dict):
                raise AnswerError("It answered something else.")
            error = answer.get("error")
            if error:
                said = error.get("message") if isinstance(error, dict) else error
                raise EndpointError("%s: %s" % (method, str(said)[:200]))
            if "result" not in answer:
                raise AnswerError("It answered something else.")
            return answer["result"]

    def _post(self, body):
        connection = getattr(self.own, "connection", None)
        if connection is None:
            if self.is_secure:
                context = ssl.create_default_context()
                connection = http.client.HTTPSConnection(self.host, self.port, timeout=TIMEOUT, context=context)
            else:
                connection = http.client.HTTPConnection(self.host, self.port, timeout=TIMEOUT)
            self.own.connection = connection
        connection.request("POST", self.path, body, {"Content-Type": "application/json"})
        # The timeout above is for each piece: an endpoint that sends a byte now and then would hold the check for ever.
        timer = threading.Timer(LONGEST_ANSWER, _shut, [connection.sock])
        timer.daemon = True
        timer.start()
        try:
            data = connection.getresponse().read(LARGEST_DOWNLOAD + 1)
        finally:
            timer.cancel()
        if len(data) > LARGEST_DOWNLOAD:
            raise ValueError("too large")
        return data

    def _hang_up(self):
        connection = getattr(self.own, "connection", None)
        if connection is not None:
            connection.close()
        self.own.connection = None

    def header(self, at):
        """None for a height that the chain does not have. Nothing of an answer is believed before its form is."""
        if at in self.headers:
            return self.headers[at]
        told = self.ask("eth_getBlockByNumber", hex(at) if isinstance(at, int) else at, False)
        if told is None:
            return None
        told = to_object(told)
        kept = {name: told[name] for name in _HEADER if name in told}
        if isinstance(told.get("transactions"), list):
            kept["transactionCount"] = len(told["transactions"])
        header = Header(
            to_number(told.get("number")), to_hash(told.get("hash")), to_number(told.get("timestamp")), kept
        )
        if isinstance(at, int) and header.number != at:
            raise AnswerError("It answered another block.")
        if len(self.headers) > 10_000:
            self.headers.clear()
        self.headers[at] = header
        return header

    def must_header(self, at):
        try:
            header = self.header(at)
        except EndpointError as error:
            if isinstance(at, int) and is_forgotten(error):
                raise HistoryError(str(error)) from None
            raise
        if header is None:
            if isinstance(at, int):
                raise HistoryError("It does not have block %d." % at)
            raise AnswerError("It has no block.")
        return header

    def final(self):
        """The newest final block; where the endpoint does not know the tag, the block 240 below the head."""
        try:
            tagged = self.header("finalized")
        except EndpointError:
            tagged = None
        if tagged is not None:
            return tagged
        return self.must_header(max(0, self.must_header("latest").number - CONFIRMATIONS))

    def first_block_since(self, moment):
        """
        The first block whose time is at least `moment`; one above the newest final block if none is. Block times never
        fall. Goes back from the head in growing steps, as nodes may keep the newest blocks alone.
        """
        head = self.final()
        if head.timestamp < moment:
            return head.number + 1
        since, below, is_missing, step = head.number, None, False, 1
        while since > 0 and (below is None or since - below > 1):
            at = max(0, since - step) if below is None else (below + since) // 2
            try:
                is_since = self.must_header(at).timestamp >= moment
                missing = False
            except HistoryError:
                is_since, missing = False, True
            if is_since:
                since, step = at, 2 * step
            else:
                below, is_missing = at, missing
        if is_missing:
            raise HistoryError("It does not have block %d." % below)
        return since

    def block_receipts(self, block):
        answer = self.ask("eth_getBlockReceipts", hex(block))
        return [to_receipt(each) for each in answer] if isinstance(answer, list) else None

    def receipt_at(self, block, index):
        """
        The receipt at an index of a block: from all receipts of the block where they are served, as nodes drop their
        index of hashes after days. None: there is none, or it was dropped.
        """
        try:
            answer = self.ask("eth_getBlockReceipts", hex(block))
        except EndpointError:
            answer = None
        if isinstance(answer, list):
            for receipt in [to_receipt(each) for each in answer]:
                if receipt.index == index:
                    return receipt
            if answer:
                return None
        transaction = self.ask("eth_getTransactionByBlockNumberAndIndex", hex(block), hex(index))
        if transaction is None:
            # The header may be all that is left of the block.
            if self.must_header(block).told.get("transactionCount", 0) > index:
                raise HistoryError("It no longer has the transactions of block %d." % block)
            return None
        receipt = self.ask("eth_getTransactionReceipt", to_hash(to_object(transaction).get("hash")))
        if receipt is None:
            raise HistoryError("It no longer has the receipt.")
        return to_receipt(receipt)

    def logs(self, address, topics, first, last):
        query = {"address": address, "topics": topics, "fromBlock": hex(first), "toBlock": hex(last)}
        answer = self.ask("eth_getLogs", query)
        if not isinstance(answer, list):
            raise AnswerError("It answered no logs.")
        return [to_log(each) for each in answer]

    def may_hold(self, address, topics, block):
        """False where the bloom filter of the block, which its hash covers, leaves no room for such a log."""
        header = self.must_header(block)
        bloom = header.told.get("logsBloom")
        if not is_hex(bloom) or len(bloom) != 514 or header_hash(header.told) not in (None, header.hash):
            return True
        bits = int(bloom, 16)
        for value in [address] + topics:
            choices = [value] if isinstance(value, str) else value or []
            asked = [bloom_bits(unhex(choice)) for choice in choices]
            if asked and not any(bits & one == one for one in asked):
                return False
        return True

    def logs_by_blooms(self, address, topics, first, last):
        """The same where logs are not served: receipts of the blocks whose bloom filter lets them through."""
        wanted = bloom_bits(unhex(address))
        for topic in topics:
            if isinstance(topic, str):
                wanted |= bloom_bits(unhex(topic))
        found, parent = [], None
        for block in range(first, last + 1):
            header = self.must_header(block)
            self.headers.pop(block, None)
            bloom = header.told.get("logsBloom")
            # The hash covers the filter, and names the block before.
            if not is_hex(bloom) or len(bloom) != 514 or header_hash(header.told) not in (None, header.hash):
                raise AnswerError("It answered a header of block %d that does not give its hash." % block)
            if parent and header.told.get("parentHash") != parent:
                raise AnswerError("Block %d does not follow the block before." % block)
            parent = header.hash
            if int(bloom, 16) & wanted != wanted:
                continue
            receipts = self.block_receipts(block)
            if not receipts:
                raise HistoryError("It does not have the receipts of block %d." % block)
            for receipt in receipts:
                found += [log for log in receipt.logs if fits(log, address, topics)]
        return found


def fits(log, address, topics):
    """As eth_getLogs filters: None for any topic, a list for one of several."""
    if log.address != address or len(log.topics) < len(topics):
        return False
    choices = [[told] if wanted is None else wanted for told, wanted in zip(log.topics, topics)]
    return all(told in ([wanted] if isinstance(wanted, str) else wanted) for told, wanted in zip(log.topics, choices))


def in_order(work, items):
    """Results of `work` for all items in their order, a few of them at the same time."""
    items, waiting = iter(items), []
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            while True:
                for item in items:
                    waiting.append(pool.submit(work, item))
                    if len(waiting) == AT_ONCE:
                        break
                if not waiting:
                    return
                yield waiting.pop(0).result()
        finally:
            for each in waiting:
                each.cancel()


def is_forgotten(error):
    return isinstance(error, HistoryError) or bool(FORGOTTEN.search(str(error)))


def is_hex(value):
    return isinstance(value, str) and bool(re.fullmatch("0x[0-9a-fA-F]*", value))


def to_object(value):
    if not isinstance(value, dict):
        raise AnswerError("It answered something else.")
    return value


def to_number(value):
    number = int(value, 16) if is_hex(value) and 3 <= len(value) <= 15 else None
    if number is None:
        raise AnswerError("It answered something that is no number.")
    return number


def to_hash(value):
    if not is_hex(value) or len(value) != 66:
        raise AnswerError("It answered something that is no hash.")
    return value.lower()


def to_log(value):
    told = to_object(value)
    address, topics, data = told.get("address"), told.get("topics"), told.get("data")
    if not is_hex(address) or not is_hex(data) or not isinstance(topics, list):
        raise AnswerError("It answered something that is no log.")
    return Log(
        address.lower(),
        [to_hash(topic) for topic in topics],
        data.lower(),
        to_number(told.get("blockNumber")),
        to_hash(told.get("transactionHash")),
        to_number(told.get("transactionIndex")),
        to_number(told.get("logIndex")),
        bool(told.get("removed")),
    )


def to_receipt(value):
    told = to_object(value)
    if not isinstance(told.get("logs"), list):
        raise AnswerError("It answered something that is no receipt.")
    return Receipt(
        to_hash(told.get("transactionHash")),
        told.get("status") == "0x1",
        to_number(told.get("transactionIndex")),
        [to_log(log) for log in told["logs"]],
    )


def word_of(address):
    return "0x" + "0" * 24 + address[2:]


def transfer_in(log, token):
    """(from, to, units) of a genuine transfer of the token; None for anything else, and for one that moves nothing."""
    if log.is_removed or log.address != token or len(log.topics) != 3 or log.topics[0] != TRANSFER_TOPIC:
        return None
    units = int(log.data, 16) if len(log.data) == 66 else 0
    return ("0x" + log.topics[1][26:], "0x" + log.topics[2][26:], units) if units else None


# ---------------------------------------------------------------------------------------------------------------------
# The steps
# ---------------------------------------------------------------------------------------------------------------------

STEPS = {
    "form": "The proof is complete and in its one form",
    "terms": "The terms are those shown while tickets were sold",
    "ledger": "The ticket list has the published fingerprint",
    "lines": "Tickets are numbered in chain order, without a gap",
    "seed": "The seed follows from the five block hashes, and from the beacon where one is mixed in",
    "number": "The winning ticket follows from the seed",
    "winner": "The winner holds the winning ticket",
    "winners": "All winners and reserves follow from the seed",
    "beacon-round": "The beacon's round is the one that the rule names",
    "beacon": "The beacon's signature is genuine",
    "chain": "The endpoint serves this chain, and the draw block is final",
    "draw-block": "The draw block is the first one at or after the draw date",
    "blocks": "The five block hashes are those of the chain",
    "receipts": "The payments in the list are on the chain",
    "completeness": "No payment on the chain is missing from the list",
    "anchor": "Terms and fingerprint were on the chain before the draw block",
}
ON_CHAIN = ("chain", "draw-block", "blocks", "receipts", "completeness", "anchor")

# `passed`, `failed`; `partial`: a part was checked and is right; `unknown`: it could not be checked, as an endpoint did
# not answer; `skipped`: there was nothing to check, or nothing to check it with.
Result = namedtuple("Result", "step status text expected actual lacks")


def passed(step, text):
    return Result(step, "passed", text, None, None, None)


def partial(step, text):
    return Result(step, "partial", text, None, None, None)


def skipped(step, text, lacks=None):
    return Result(step, "skipped", text, None, None, lacks)


def unknown(step, text, lacks=None):
    return Result(step, "unknown", text, None, None, lacks)


def failed(step, text, expected=None, actual=None):
    return Result(step, "failed", text, expected, actual, None)


def unchecked(results):
    """
    Steps that have not passed. A sample of the receipts is enough where the logs of the whole sale were read: they
    prove each payment of the list.
    """
    statuses = {result.step: result.status for result in results}
    enough = statuses.get("receipts") == "partial" and statuses.get("completeness") == "passed"
    return [step for step, status in statuses.items() if status != "passed" and not (step == "receipts" and enough)]


def verdict_of(results):
    if any(result.status == "failed" for result in results):
        return "contradicted"
    return "incomplete" if unchecked(results) else "verified"


class Memory:
    """How far the check of a proof came: lines that were looked up, the first block that was not read, own payments."""

    def __init__(self, path=None, proof_text=""):
        self.path, self.written = path, 0.0
        self.kept = {"verify.py": hashlib.sha256(proof_text.encode()).hexdigest()}
        if path is None:
            return
        try:
            with open(path, "rb") as file:
                text = file.read(2**24)
        except FileNotFoundError:
            return
        try:
            kept = json.loads(text)
            numbers = [kept.get("lines", 0), kept.get("block", 0)] + list(kept.get("own", {}).values())
            is_ours = isinstance(kept["verify.py"], str) and all(type(number) is int for number in numbers)
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            is_ours = False
        if not is_ours:
            raise UsageError("%s is no file that --state made." % path)
        if kept["verify.py"] != self.kept["verify.py"]:
            raise UsageError("%s is of another proof." % path)
        self.kept = kept

    def keep(self, is_end=False, **change):
        """Written at the end of a step, else once a second at most: what was done since is done again."""
        self.kept.update(change)
        if self.path is None or (not is_end and time.monotonic() - self.written < 1):
            return
        self.written = time.monotonic()
        with open(self.path + ".new", "w", encoding="ascii") as file:
            json.dump(self.kept, file)
        os.replace(self.path + ".new", self.path)


class Job:
    """What is checked, and with what."""

    def __init__(self, proof_text, ledger, endpoint=None, known=None, kept=None, network=None, is_full=False):
        self.proof_text, self.ledger, self.endpoint = proof_text, ledger, endpoint
        self.known, self.kept, self.is_full = known or {}, kept or [], is_full
        self.networks = [QUICKNET] + ([network] if network else [])
        self.sample = LARGEST_WHOLE if is_full else 200
        self.calls = LARGEST_WHOLE if is_full else 500
        self.random = random.SystemRandom()
        self.memory = Memory()
        # The answer of raffle/content/{n}; None where there is none.
        self.content = None
        self.tell = lambda text: None


def verify(job):
    """Yields a result a step. A failed step does not stop the later ones, an unreadable proof does."""
    try:
        proof = job.proof = parse_proof(job.proof_text)
    except FormError as error:
        yield failed("form", str(error))
        return
    sold = count(proof["ticketsSold"])
    yield passed("form", "Event %d, %s tickets, drawn at %s." % (proof["eventNumber"], sold, proof["drawDate"]))
    yield check_terms(job)
    reading = job.reading = Reading(proof)
    yield from reading.read(job.ledger)
    yield check_seed(proof)
    yield check_number(proof)
    yield skipped("winner", reading.trouble) if reading.trouble else check_winner(proof, reading.winner)
    yield skipped("winners", reading.trouble) if reading.trouble else check_winners(proof, reading.texts)
    if proof["beacon"] is not None:
        yield attempt("beacon-round", check_beacon_round, job)
        yield check_beacon(job)
    for step in ON_CHAIN:
        if step in ("receipts", "completeness") and reading.trouble:
            yield skipped(step, reading.trouble)
        else:
            yield attempt(step, CHAIN_CHECKS[step], job)


def attempt(step, check, job):
    """
    An endpoint that is gone, or answers nonsense, makes a step unknown: neither passed nor failed. What it no longer
    has was not checked.
    """
    try:
        return check(job)
    except EndpointError as error:
        text = "The endpoint could not be used for this. %s" % error
        return skipped(step, text, "archive") if is_forgotten(error) else unknown(step, text)


def count(number):
    return format(number, ",")


# --- terms

_PROMISED = ("operatorWallet", "ticketPrice", "saleStart", "saleEndDate", "drawDate")
# What nobody notes by hand: the kept line alone says it.
_IN_LINE_ALONE = tuple(
    (
        "anchorWallet dateBy minTickets autoDraw entropy winners claimDays maxTickets maxPerWallet ownWalletsSha256 "
        "contentSha256"
    ).split()
)


def contradiction_within(proof):
    """The first field in which a proof and its own terms line differ: (field, line's, proof's)."""
    line = parse_terms(proof["terms"])
    draw_date = seconds_of(proof["drawDate"])
    said = {
        "drawBy": draw_by(draw_date, line["entropy"]),
        "saleStart": seconds_of(proof["saleStart"]),
        "saleEnd": seconds_of(proof["saleEndDate"]),
        "drawDate": draw_date,
        "ownWalletsSha256": own_wallets_sha256(own_wallets_of(proof)),
    }
    for field in ("eventNumber", "chainId", "token", "operatorWallet", "ticketPrice", "entropy"):
        said[field] = proof[field]
    for field, value in said.items():
        if line[field] != str(value):
            return field, line[field], value
    return None


def contradicted_content(proof, told):
    """What the answer of raffle/content/{n} says against the terms; None where it is right."""
    try:
        answer = parse_json(told)
    except FormError as error:
        return failed("terms", str(error).replace("The proof", "The content"))
    if not is_plain(answer):
        return failed("terms", "The content has a value that programs read in different ways.")
    answer = answer if isinstance(answer, dict) else {}
    number = answer.get("eventNumber")
    if type(number) is not int or number != proof["eventNumber"]:
        return failed("terms", "The content is of another event.", proof["eventNumber"], number)
    hashed, content = parse_terms(proof["terms"])["contentSha256"], answer.get("content", ...)
    if hashed == "none":
        if content is None and answer.get("contentSha256", ...) is None:
            return None
        return failed("terms", "The terms promise no content, and there is one.")
    text = promised_by(content)
    if text is None:
        return failed("terms", "The content is not what an event raffles.")
    found = "0x" + sha256(text.encode()).hex()
    if found != hashed:
        return failed("terms", "The content is not the one that the terms promise.", hashed, found)
    if answer.get("contentSha256") != hashed or answer.get("promised") != text:
        return failed("terms", "What is told of the content is not what follows from it.")
    winners = parse_terms(proof["terms"])["winners"]
    copies = sum(prize["copies"] for prize in content["prizes"])
    if str(copies) != winners:
        text = "The content has another number of prizes than the terms have winners."
        return failed("terms", text, winners, copies)
    return None


def check_terms(job):
    wrong = contradicted_content(job.proof, job.content) if job.content is not None else None
    if wrong:
        return wrong
    result = check_promises(job)
    if result.status != "passed" or parse_terms(job.proof["terms"])["contentSha256"] == "none":
        return result
    if job.content is not None:
        return passed("terms", result.text.replace("As shown: ", "As shown: content, "))
    text = result.text + " Nothing to compare with: content."
    return Result("terms", "partial", text, None, None, "content")


def check_promises(job):
    proof, noted = job.proof, job.known
    within = contradiction_within(proof)
    if within:
        return failed("terms", "The terms line has another %s than the proof." % within[0], within[1], within[2])
    minimum = int(parse_terms(proof["terms"])["minTickets"])
    if proof["ticketsSold"] < minimum:
        text = "With fewer tickets than the minimum nothing is drawn, and the money goes back."
        return failed("terms", text, "at least %d" % minimum, proof["ticketsSold"])
    known = {"chainId": CHAIN_ID, **noted}
    if known["chainId"] == CHAIN_ID:
        known = {"token": USDT, **known}
    for name, ours in known.items():
        if ours == proof[name]:
            continue
        if name in noted:
            return failed("terms", "%s is not what was shown." % name, ours, proof[name])
        text = "This is not USDT on BNB Smart Chain, and no other token was named."
        return failed("terms", text, ours, proof[name])
    settled, changed = set(known), []
    if job.kept:
        kept = of_its_event(job.kept, proof)
        changes = compare_terms(kept, proof)
        if changes is None:
            return failed("terms", "The terms that were kept are no terms line.")
        for field, (before, after, is_allowed) in changes.items():
            if not is_allowed:
                return failed("terms", "%s is not what was promised at the purchase." % field, before, after)
            changed.append(field)
        settled |= {"token", "operatorWallet", "ticketPrice", "saleStart"}
        if any(parse_terms(each["terms"])["drawDate"] != "none" for each in kept):
            settled |= {"saleEndDate", "drawDate"}
    if not settled.intersection(_PROMISED):
        return skipped("terms", "Nothing to compare with: keep the terms line while tickets are sold.", "line")
    text = "As shown: %s." % ", ".join(sorted(settled))
    if changed:
        text += " Changed as the rules allow: %s." % ", ".join(changed)
    wanted = ("token",) + _PROMISED + (() if job.kept else _IN_LINE_ALONE)
    missing = [name for name in wanted if name not in settled]
    if missing:
        text = "%s Nothing to compare with: %s." % (text, ", ".join(missing))
        return Result("terms", "partial", text, None, None, "dates" if job.kept else "line")
    return passed("terms", text)


def of_its_event(kept, proof):
    """Without the lines of other events, as a browser keeps those of all; all of them where none is of this event."""
    number = str(proof["eventNumber"])
    own = [each for each in kept if (parse_terms(each["terms"]) or {"eventNumber": number})["eventNumber"] == number]
    return own or kept


def compare_terms(kept, proof):
    """Fields in which any promise and the proof differ, as (promised, told, allowed). None for what is no line."""
    found = {}
    for promise in kept:
        before, after = parse_terms(promise["terms"]), parse_terms(proof["terms"])
        if before is None or after is None:
            return None
        for field in TERMS:
            if before[field] != after[field] and (field not in found or found[field][2]):
                found[field] = before[field], after[field], may_differ(field, before, after, promise, proof)
    return found


def may_differ(field, before, after, promise, proof):
    """What the rules let change after a purchase, as buyers lose nothing by it."""
    is_set = {name: value != "none" for name, value in before.items()}
    if field in _LOCKED_AT_SALE_END:
        # Behind its sale end nothing moves an event's dates and minimum, and no date is set whose sale end is past.
        sale_ends = [int(line["saleEnd"]) for line in (before, after) if line["saleEnd"] != "none"]
        if any((promise.get("toldUntil") or 0) >= sale_end for sale_end in sale_ends):
            return False
    if field == "anchorWallet":
        return True
    if field == "dateBy":
        # An earlier payment that is found late moves it forward, as it counts from the first ticket.
        return not is_set["dateBy"] or (after["dateBy"] != "none" and int(after["dateBy"]) <= int(before["dateBy"]))
    if field == "minTickets":
        return int(after["minTickets"]) < int(before["minTickets"])
    if field == "ownWalletsSha256":
        return fits_wallets(before, after, promise.get("ownUntil"), own_wallets_of(proof))
    if after["drawDate"] == "none":
        return False
    if field == "drawDate" and is_set["saleEnd"] and lead_of(before) != lead_of(after):
        return False
    if field == "drawDate":
        first = promise.get("firstDrawDate")
        first = int(before["drawDate"]) if first is None and is_set["drawDate"] else first
        return not is_set["drawDate"] or int(after["drawDate"]) <= first + 30 * DAY
    if field == "saleEnd":
        # The lead stays as it was promised.
        return after["saleEnd"] != "none" and (not is_set["saleEnd"] or lead_of(before) == lead_of(after))
    if field == "drawBy":
        if after["drawBy"] != str(draw_by(int(after["drawDate"]), after["entropy"])):
            return False
        # Who bought without a date was told when the draw is due at the latest.
        limit = before["dateBy"] if is_set["dateBy"] else after["dateBy"]
        return is_set["drawDate"] or limit == "none" or int(after["drawBy"]) <= int(limit)
    return False


_LOCKED_AT_SALE_END = ("saleEnd", "drawDate", "drawBy", "minTickets")


def lead_of(terms):
    if terms["drawDate"] == "none" or terms["saleEnd"] == "none":
        return None
    return int(terms["drawDate"]) - int(terms["saleEnd"])


def fits_wallets(before, after, own_until, wallets):
    """
    The promised list is the beginning of the told one: a wallet that is named later counts from a later moment, else
    it would take a ticket from the buyer who had paid with it by then. A line alone does not say until when its list
    was whole.
    """
    if own_wallets_sha256(wallets) != after["ownWalletsSha256"]:
        return False
    moments = [-1] + [since for since, _ in wallets] if own_until is None else [own_until]
    told = [[wallet for wallet in wallets if wallet[0] <= moment] for moment in moments]
    return any(own_wallets_sha256(some) == before["ownWalletsSha256"] for some in told)


# --- the list


class Reading:
    """The list, read once: fingerprint, form, order, gaps, tickets for the money."""

    def __init__(self, proof):
        self.proof, self.texts, self.winner, self.trouble = proof, [], None, None
        self.price = int(proof["ticketPrice"])
        self.next, self.before, self.lines = 1, None, -1
        terms = parse_terms(proof["terms"])
        self.most = min(MOST_TICKETS, most_of(terms["maxTickets"]))
        self.most_per_wallet = most_of(terms["maxPerWallet"])
        self.held = {}

    def read(self, pieces):
        digest, size, rest, problem = hashlib.sha256(), 0, b"", None
        try:
            for piece in pieces:
                size += len(piece)
                if size > LARGEST_DOWNLOAD:
                    raise OSError("It is larger than %d MiB." % (LARGEST_DOWNLOAD >> 20))
                digest.update(piece)
                # What comes after the first problem decides nothing and may be of any size.
                if problem is None:
                    *lines, rest = (rest + piece).split(b"\n")
                    for line in lines:
                        problem = problem or self.take(line)
                    if len(rest) > LONGEST_LINE:
                        problem = problem or "A line is longer than any line of a list."
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.trouble = "The list was not read."
            yield unknown("ledger", "The file could not be read. %s" % error)
            yield skipped("lines", self.trouble)
            return
        fingerprint, expected = "0x" + digest.hexdigest(), self.proof["ledger"]["sha256"]
        if fingerprint == expected:
            yield passed("ledger", "SHA-256 of the %s bytes of the file: %s." % (count(size), fingerprint))
        else:
            yield failed("ledger", "The file is not the one that was fingerprinted.", expected, fingerprint)
        problem = problem or ("The last line has no end." if rest else self.end())
        if problem:
            self.trouble = "The list itself is broken."
            yield failed("lines", problem)
        else:
            text = "Payments: %s; tickets 1 to %s: each in chain order, each with as many tickets as its money buys."
            yield passed("lines", text % (count(self.lines), count(self.next - 1)))

    def take(self, data):
        """The first problem of a line, or None."""
        self.lines += 1
        if self.lines == 0:
            return None if data == LEDGER_HEADER else "The first line is not the header."
        text = data.decode("utf-8", "replace")
        line = parse_line(text)
        name = "Line %d" % self.lines
        if line is None:
            return "%s is not in its one form: %s" % (name, text[:80])
        if line.ticket != self.next:
            return "%s begins with ticket %d, not %d." % (name, line.ticket, self.next)
        if line.value // self.price != line.count:
            return "%s has %d tickets for %d units." % (name, line.count, line.value)
        if self.before and (line.block, line.index) < self.before:
            return "%s is not in chain order." % name
        self.before = line.block, line.index
        self.next += line.count
        if self.next - 1 > self.most:
            return "%s goes beyond %d tickets." % (name, self.most)
        if self.most_per_wallet < MOST_TICKETS:
            self.held[line.payer] = self.held.get(line.payer, 0) + line.count
            if self.held[line.payer] > self.most_per_wallet:
                return "%s gives its payer more than %d tickets." % (name, self.most_per_wallet)
        if line.ticket <= self.proof["winningTicket"] < self.next:
            self.winner = line
        self.texts.append(text)
        return None

    def end(self):
        if self.lines != self.proof["ledger"]["lines"]:
            return "Payments in the file: %d; in the proof: %d." % (max(self.lines, 0), self.proof["ledger"]["lines"])
        if self.next - 1 != self.proof["ticketsSold"]:
            return "The file has %d tickets, the proof says %d." % (self.next - 1, self.proof["ticketsSold"])
        return None


def most_of(limit):
    return MOST_TICKETS if limit == "none" else int(limit)


# --- the draw


def check_seed(proof):
    blocks = "0x" + block_seed(proof).hex()
    if blocks != proof["blockSeed"]:
        return failed("seed", "The five hashes give another block seed.", blocks, proof["blockSeed"])
    seed, counter = accepted(first_seed(proof), proof["ticketsSold"])
    if "0x" + seed.hex() != proof["seed"]:
        return failed("seed", "The block seed gives another seed.", "0x" + seed.hex(), proof["seed"])
    if counter != proof["counter"]:
        return failed("seed", "Another number of seeds was refused.", counter, proof["counter"])
    return passed("seed", "SHA-256 of the 160 bytes: %s." % blocks)


def check_number(proof):
    seed, _ = accepted(first_seed(proof), proof["ticketsSold"])
    number = int.from_bytes(seed, "big")
    if str(number) != proof["randomNumber"]:
        return failed("number", "The seed is another number.", number, proof["randomNumber"])
    ticket = number % proof["ticketsSold"] + 1
    if ticket != proof["winningTicket"]:
        return failed("number", "The number names another ticket.", ticket, proof["winningTicket"])
    return passed("number", "%d mod %d + 1 = %d." % (number, proof["ticketsSold"], ticket))


def as_winner(line):
    return {
        "walletAddress": line.payer,
        "transactionHash": line.transaction,
        "ticketNumber": line.ticket,
        "ticketCount": line.count,
    }


def check_winner(proof, line):
    if line is None:
        return failed("winner", "No line of the list holds ticket %d." % proof["winningTicket"])
    for name, value in as_winner(line).items():
        if value != proof["winner"][name]:
            return failed("winner", "%s of the winner is not that of the list." % name, value, proof["winner"][name])
    last = line.ticket + line.count - 1
    text = "Ticket %d is one of %d to %d of %s."
    return passed("winner", text % (proof["winningTicket"], line.ticket, last, line.payer))


def check_winners(proof, texts):
    promised = int(parse_terms(proof["terms"])["winners"])
    if not 1 <= promised <= MOST_WINNERS:
        return failed("winners", "The terms promise a number of winners that no event has.", "1 to 20", promised)
    if proof["winningTicket"] > proof["ticketsSold"]:
        return failed("winners", "No line of the list holds ticket %d." % proof["winningTicket"])
    if proof["winners"][0] != proof["winner"]:
        return failed("winners", "The first of the winners is not the winner.")
    seed = unhex(proof["seed"])
    drawn = draw_all(seed, proof["winningTicket"], promised, texts, proof["ticketsSold"])
    for name, lines in zip(("winners", "reserves"), drawn):
        told = proof[name]
        if len(told) != len(lines):
            return failed("winners", "Another number of %s follows from the list." % name, len(lines), len(told))
        for place, (line, entry) in enumerate(zip(lines, told)):
            for field, value in as_winner(line).items():
                if value != entry[field]:
                    text = "%s of %s[%d] is not what the seed gives." % (field, name, place)
                    return failed("winners", text, value, entry[field])
    return passed("winners", "Winners: %d; reserves: %d; each another payer." % tuple(len(lines) for lines in drawn))


# --- the beacon


def network_of(job):
    """The network with the proof's chain hash, which commits to its key; None for one that is not known here."""
    told = job.proof["beacon"]["chainHash"]
    return next((network for network in job.networks if network.chain_hash == told), None)


def check_beacon_round(job):
    proof, step = job.proof, "beacon-round"
    beacon, network = proof["beacon"], network_of(job)
    if network is None:
        return skipped(step, "The beacon is not known, nor when its rounds are due.")
    after, draw_date = beacon["after"], seconds_of(proof["drawDate"])
    wanted = proof["blocks"][-1]["number"] + BEACON_DEPTH
    if after["number"] != wanted:
        return failed(step, "Another block is %d behind the draw block." % BEACON_DEPTH, wanted, after["number"])
    expected = round_of_draw(draw_date, after["timestamp"], network.genesis)
    if beacon["round"] != expected:
        return failed(step, "The rule names another round.", expected, beacon["round"])
    due = round_time(expected, network.genesis)
    if beacon["time"] != due:
        return failed(step, "The round is due at another time.", due, beacon["time"])
    if job.endpoint is None:
        return skipped(step, "No endpoint was given.")
    problem = block_problem(job.endpoint, after)
    if problem:
        return failed(step, *problem)
    if job.endpoint.final().number < wanted:
        raise AnswerError("Block %d is not final." % wanted)
    ruling = "the draw date" if after["timestamp"] < draw_date + BEACON_GAP else "the time of block %d" % wanted
    return passed(step, "Round %d, due %d s after the draw date: named by %s." % (expected, due - draw_date, ruling))


def check_beacon(job):
    beacon, network = job.proof["beacon"], network_of(job)
    if network is None:
        text = "This is another beacon than drand's quicknet."
        return failed("beacon", text, QUICKNET.chain_hash, beacon["chainHash"])
    if beacon["network"] != network.name:
        return failed("beacon", "The beacon has another name.", network.name, beacon["network"])
    signature = unhex(beacon["signature"])
    randomness = "0x" + sha256(signature).hex()
    if randomness != beacon["randomness"]:
        return failed("beacon", "The randomness is not the SHA-256 of the signature.", randomness, beacon["randomness"])
    if not is_signature(network.key, beacon["round"], signature):
        return failed("beacon", "It is not the signature of round %d by the beacon's key." % beacon["round"])
    return passed("beacon", "Signature of round %d by the key of %s." % (beacon["round"], network.name))


# --- the chain


def check_chain(job):
    chain = to_number(job.endpoint.ask("eth_chainId"))
    if chain != job.proof["chainId"]:
        return failed("chain", "The endpoint serves another chain.", job.proof["chainId"], chain)
    final, draw_block = job.endpoint.final().number, job.proof["blocks"][-1]["number"]
    if final < draw_block:
        return failed("chain", "The draw block is not final.", "at most %d" % final, draw_block)
    return passed("chain", "Chain %d, final up to block %d." % (chain, final))


def check_draw_block(job):
    """Block times never fall, so two neighbours prove which block is the first."""
    moment, number = seconds_of(job.proof["drawDate"]), job.proof["blocks"][-1]["number"]
    before, block = job.endpoint.must_header(number - 1), job.endpoint.must_header(number)
    text = "Another block is the first at or after %s." % job.proof["drawDate"]
    if before.timestamp >= moment:
        return failed("draw-block", text, "at most %d" % (number - 1), number)
    if block.timestamp < moment:
        return failed("draw-block", text, "at least %d" % (number + 1), number)
    text = "Block %d is %d s before the draw date, block %d is not."
    return passed("draw-block", text % (number - 1, moment - before.timestamp, number))


def block_problem(endpoint, block):
    """How a block of the proof differs from the chain's, as (text, expected, actual); None where it does not."""
    header = endpoint.must_header(block["number"])
    if header.hash != block["hash"]:
        return "Block %d has another hash." % block["number"], header.hash, block["hash"]
    if header.timestamp != block["timestamp"]:
        return "Block %d has another time." % block["number"], header.timestamp, block["timestamp"]
    computed = header_hash(header.told)
    if computed is not None and computed != header.hash:
        text = "The fields of block %d do not give its hash, or a fork has added some that are not known here."
        raise AnswerError(text % block["number"])
    return None


def check_blocks(job):
    blocks = job.proof["blocks"]
    for block, miner in zip(blocks, job.proof["miners"]):
        problem = block_problem(job.endpoint, block)
        if problem:
            return failed("blocks", *problem)
        told = job.endpoint.must_header(block["number"]).told.get("miner")
        if not is_hex(told) or len(told) != 42:
            raise AnswerError("It answered a header without its miner.")
        if told.lower() != miner:
            return failed("blocks", "Block %d was made by another miner." % block["number"], told.lower(), miner)
    makers = len(set(job.proof["miners"]))
    text = "Blocks %d to %d have these hashes, times and miners (%d different)."
    return passed("blocks", text % (blocks[0]["number"], blocks[-1]["number"], makers))


# --- payments of the list, looked up on the chain


def check_receipts(job):
    texts = job.reading.texts
    chosen = choose(texts, job)
    is_whole = len(chosen) == len(texts)
    done = min(job.memory.kept.get("lines", 0), len(chosen)) if is_whole else 0
    for problem in in_order(lambda text: payment_problem(job, parse_line(text)), chosen[done:]):
        if problem:
            return failed("receipts", *problem)
        done += 1
        if is_whole:
            job.memory.keep(is_end=done == len(chosen), lines=done)
        if done % 1000 == 0:
            job.tell("receipts: %s of %s" % (count(done), count(len(chosen))))
    share = "Every payment (%d)" % len(chosen)
    if len(chosen) < len(texts):
        share = "%d of %s payments, chosen at random, with the first, the last and the winner's" % (
            len(chosen),
            count(len(texts)),
        )
    text = "%s: transaction, place, payer, amount and time are those of the chain." % share
    return (partial if len(chosen) < len(texts) else passed)("receipts", text)


def choose(texts, job):
    """All lines of a short list; of a longer one the first, the last, the winner's and some at random."""
    if len(texts) <= job.sample:
        return texts
    starts = [int(text[: text.index(",")]) for text in texts]
    chosen = {0, len(texts) - 1, bisect.bisect_right(starts, job.proof["winningTicket"]) - 1}
    while len(chosen) < job.sample:
        chosen.add(job.random.randrange(len(texts)))
    return [texts[index] for index in sorted(chosen)]


def payment_problem(job, line):
    """Why a line is not what the chain says, as (text, expected, actual)."""
    proof, name = job.proof, "Ticket %d" % line.ticket
    header = job.endpoint.must_header(line.block)
    start, end = seconds_of(proof["saleStart"]), seconds_of(proof["saleEndDate"])
    if not start <= header.timestamp < end:
        return "%s was not paid during the sale." % name, "%d to %d" % (start, end - 1), header.timestamp
    since = own_since(proof).get(line.payer)
    if since is not None and header.timestamp >= since:
        return "%s was paid by a wallet of the operator." % name, None, line.payer
    receipt = job.endpoint.receipt_at(line.block, line.index)
    if receipt is None:
        return "%s: there is no transaction %d in block %d." % (name, line.index, line.block), None, None
    if receipt.transaction != line.transaction:
        return "%s: another transaction stands there." % name, receipt.transaction, line.transaction
    if not receipt.is_success:
        return "%s: the transaction failed." % name, None, None
    transfers = [transfer_in(log, proof["token"]) for log in receipt.logs]
    ours = (line.payer, proof["operatorWallet"])
    paid = sum(transfer[2] for transfer in transfers if transfer and transfer[:2] == ours)
    return None if paid == line.value else ("%s: %s paid another amount." % (name, line.payer), paid, line.value)


def own_since(proof):
    return {address: since for since, address in own_wallets_of(proof)}


# --- payments of the chain, looked up in the list


def check_completeness(job):
    step, proof, endpoint, texts = "completeness", job.proof, job.endpoint, job.reading.texts
    first = endpoint.first_block_since(seconds_of(proof["saleStart"]))
    last = endpoint.first_block_since(seconds_of(proof["saleEndDate"])) - 1
    # Lines are in chain order, and only those between the two are compared with the chain below.
    for text in (texts[0], texts[-1]):
        if not first <= parse_line(text).block <= last:
            return failed(step, "The list has a payment outside the sale.", "%d to %d" % (first, last), text)
    size, read_logs = served_size(job, first, last), endpoint.logs
    if size is None:
        if not job.is_full:
            return without_logs(step, job)
        size, read_logs = 100, endpoint.logs_by_blooms
        job.tell("completeness: no logs are served, so %s headers are asked for" % count(last - first + 1))
    is_whole = len(range(first, last + 1, size)) <= job.calls
    start = min(max(job.memory.kept.get("block", first), first), last + 1) if is_whole else first
    windows = choose_windows(start, last, size, job)
    walk = Walk(job)
    if start > first:
        walk.own.update(job.memory.kept.get("own", {}))
    blocks, done = start - first, 0
    spans = [(start, min(start + size - 1, last)) for start in windows]
    for (start, end), payments in zip(spans, in_order(lambda span: read_payments(job, read_logs, *span), spans)):
        problem = walk.compare(start, end, payments)
        if problem:
            return failed(step, *problem)
        blocks += end - start + 1
        done += 1
        if is_whole:
            job.memory.keep(is_end=end == last, block=end + 1, own=walk.own)
        if done % 100 == 0:
            job.tell("completeness: %s of %s blocks" % (count(blocks), count(last - first + 1)))
    all_blocks = last - first + 1
    share = "all %s blocks" % count(all_blocks)
    if blocks < all_blocks:
        share = "%s of %s blocks, chosen at random" % (count(blocks), count(all_blocks))
    text = "Transfers of %s of the sale: exactly the payments of the list." % share
    if walk.own:
        left_out = ", ".join("%d of %s" % (times, payer) for payer, times in walk.own.items())
        text += " Left out as the operator's own: %s." % left_out
    # That a wallet is his own the operator alone says.
    return (partial if blocks < all_blocks or walk.own else passed)(step, text)


Payment = namedtuple("Payment", "block index log transaction payer units")


def read_payments(job, read_logs, first, last):
    """What was paid to the operator wallet, a payer's transfers of one transaction summed, in chain order."""
    token, wallet = job.proof["token"], job.proof["operatorWallet"]
    found = {}
    for log in read_logs(token, [TRANSFER_TOPIC, None, word_of(wallet)], first, last):
        transfer = transfer_in(log, token)
        if transfer is None or transfer[1] != wallet:
            continue
        payer, _, units = transfer
        before = found.get((log.transaction, payer))
        place = log.log
        if before:
            units, place = units + before.units, min(place, before.log)
        found[log.transaction, payer] = Payment(log.block, log.index, place, log.transaction, payer, units)
    return sorted(found.values())


class Walk:
    """Goes through the list along with the chain."""

    def __init__(self, job):
        self.job, self.proof, self.endpoint, self.reading = job, job.proof, job.endpoint, job.reading
        self.texts, self.at, self.own, self.held = job.reading.texts, 0, {}, {}
        self.own_since, self.price = own_since(job.proof), job.reading.price

    def compare(self, first, last, payments):
        while self.at < len(self.texts) and parse_line(self.texts[self.at]).block < first:
            self.step()
        for payment in payments:
            tickets = self.tickets_of(payment)
            if tickets == 0 or not self.has_room(payment.payer, tickets):
                continue
            line = self.texts[self.at].split(",", 1)[1] if self.at < len(self.texts) else "no line"
            wanted = "%d,%s,%s,%d,%d,%d" % (
                (tickets,) + (payment.transaction, payment.payer, payment.units, payment.block, payment.index)
            )
            if line != wanted:
                self.refuse_left_out(payment)
                return "The chain and the list differ here.", wanted, line
            self.step()
        if self.at < len(self.texts) and parse_line(self.texts[self.at]).block <= last:
            self.refuse_left_out(None)
            return "The list has a payment that the chain does not.", "none", self.texts[self.at]
        return None

    def refuse_left_out(self, following):
        """
        Some endpoints answer no logs where they have lost them, as if there had been none. Raises where the payment of
        the next line, which the logs do not have, is shown by the same endpoint's receipts.
        """
        if self.at == len(self.texts):
            return
        line = parse_line(self.texts[self.at])
        if following and (line.block, line.index) >= (following.block, following.index):
            return
        for text in reversed(self.texts[: self.at]):
            other = parse_line(text)
            if other.transaction != line.transaction:
                break
            if other.payer == line.payer:
                return
        try:
            is_shown = payment_problem(self.job, line) is None
        except EndpointError:
            # It may have been lost with the logs.
            topics = [TRANSFER_TOPIC, word_of(line.payer), word_of(self.proof["operatorWallet"])]
            if self.endpoint.may_hold(self.proof["token"], topics, line.block):
                raise
            is_shown = False
        if is_shown:
            raise AnswerError("Its logs leave out a payment that its receipts show.")

    def tickets_of(self, payment):
        """0 for a payment that buys nothing. Every block is one of the sale."""
        payer, tickets = payment.payer, payment.units // self.price
        if int(payer, 16) == 0 or payer == self.proof["operatorWallet"]:
            is_held = True
        else:
            since = self.own_since.get(payer)
            is_own = since is not None and self.endpoint.must_header(payment.block).timestamp >= since
            is_held = is_own or tickets > MOST_TICKETS
        if is_held and payer in self.own_since:
            self.own[payer] = self.own.get(payer, 0) + 1
        return 0 if is_held else tickets

    def has_room(self, payer, tickets):
        """A payment above a limit gets no ticket as a whole, a smaller one after it may fit."""
        sold = self.proof["ticketsSold"]
        if self.at < len(self.texts):
            sold = parse_line(self.texts[self.at]).ticket - 1
        own = self.held.get(payer, 0)
        return sold + tickets <= self.reading.most and own + tickets <= self.reading.most_per_wallet

    def step(self):
        if self.reading.most_per_wallet < MOST_TICKETS:
            line = parse_line(self.texts[self.at])
            self.held[line.payer] = self.held.get(line.payer, 0) + line.count
        self.at += 1


def served_size(job, first, last):
    """The widest range of blocks that the endpoint answers, found by halving; None if it serves no logs."""
    size = min(5_000, last - first + 1)
    while size >= 1:
        # The middle of the sale: its ends may be quieter.
        start = max(first, (first + last - size) // 2)
        try:
            read_payments(job, job.endpoint.logs, start, start + size - 1)
            return size
        except AnswerError:
            raise
        except EndpointError:
            size //= 2
    return None


def choose_windows(first, last, size, job):
    windows = range(first, last + 1, size)
    if len(windows) <= job.calls:
        return windows
    return [windows[index] for index in sorted(job.random.sample(range(len(windows)), job.calls))]


def without_logs(step, job):
    """The endpoint serves no logs at all, or none this old."""
    head = job.endpoint.final().number
    try:
        read_payments(job, job.endpoint.logs, head, head)
    except EndpointError:
        return skipped(step, "The endpoint serves no logs: try another one, or --full.", "logs")
    return skipped(step, "The endpoint serves no logs this old: try one with an archive.", "archive")


# --- the anchor

Anchor = namedtuple("Anchor", "block log timestamp transaction wallet commitment")


def check_anchor(job):
    step, proof = "anchor", job.proof
    commitment = "0x" + sha256(proof["terms"].encode() + unhex(proof["ledger"]["sha256"])).hex()
    if commitment != proof["commitment"]:
        return failed(step, "Terms and fingerprint give another commitment.", commitment, proof["commitment"])
    if job.endpoint is None:
        return skipped(step, "No endpoint was given.")
    wallets = {proof["operatorWallet"], parse_terms(proof["terms"])["anchorWallet"]} - {"none"}
    sale_end, draw_date = seconds_of(proof["saleEndDate"]), seconds_of(proof["drawDate"])
    first, last = job.endpoint.first_block_since(sale_end), proof["blocks"][-1]["number"] - 1
    try:
        result = compare_anchors(job, read_anchors(job, wallets, (first, last), (sale_end, draw_date)))
        if result.status == "failed":
            return result
        early, earlier = [], earlier_promises(job)
        wallets |= {line["anchorWallet"] for line in earlier} - {"none"}
        for start, end in sorted({earlier_window(line, sale_end) for line in earlier}):
            begin, behind = job.endpoint.first_block_since(start), job.endpoint.first_block_since(end)
            if begin < min(behind, first):
                early += read_anchors(job, wallets, (begin, min(behind, first) - 1), (start, end))
    except NotServed:
        return without_logs(step, job)
    if not early:
        return result
    text = (
        "A commitment was put on the chain behind a sale end that was promised, and before this one: %s. "
        "The date may have been moved after it."
    )
    return skipped(step, text % names_of(early))


def earlier_promises(job):
    """The kept lines of the event whose sale end lies before the proof's."""
    number, sale_end = str(job.proof["eventNumber"]), seconds_of(job.proof["saleEndDate"])
    lines = [line for line in (parse_terms(each["terms"]) for each in job.kept) if line is not None]
    own = [line for line in lines if line["eventNumber"] == number and line["saleEnd"] != "none"]
    return [line for line in own if int(line["saleEnd"]) < sale_end]


def earlier_window(line, sale_end):
    """When the draw that this line promised would have been anchored."""
    draw_date = sale_end if line["drawDate"] == "none" else int(line["drawDate"])
    return int(line["saleEnd"]), min(draw_date, sale_end)


def names_of(anchors):
    names = ["%s in %s" % (each.commitment, each.transaction) for each in anchors]
    return ", ".join(dict.fromkeys(names))


def compare_anchors(job, found):
    """What the commitments between sale end and draw date say of the proof's."""
    step, proof = "anchor", job.proof
    operator, commitment = proof["operatorWallet"], proof["commitment"]
    counting = [anchor for anchor in found if anchor.wallet == operator] or found
    told = proof["anchor"]
    if not counting:
        if told:
            return failed(step, "No such anchor is on the chain.", "none", told["transactionHash"])
        return skipped(step, "Nobody put terms and fingerprint on the chain for this event.")
    ours = [anchor for anchor in counting if anchor.commitment == commitment]
    if not ours:
        return failed(step, "Another commitment was put on the chain.", counting[-1].commitment, commitment)
    anchor = ours[-1]
    if told and (told["transactionHash"], told["blockNumber"], told["timestamp"]) != (
        anchor.transaction,
        anchor.block,
        anchor.timestamp,
    ):
        text = "%s in block %d at %d"
        return failed(
            step,
            "The proof names another anchor.",
            text % (anchor.transaction, anchor.block, anchor.timestamp),
            text % (told["transactionHash"], told["blockNumber"], told["timestamp"]),
        )
    later = counting[counting.index(anchor) + 1 :]
    if later:
        return skipped(step, "It is on the chain, but another came later: %s." % names_of(later))
    seconds = seconds_of(proof["drawDate"]) - anchor.timestamp
    return passed(step, "Transaction %s carried it %d s before the draw date." % (anchor.transaction, seconds))


class NotServed(Exception):
    """The endpoint does not serve the logs of the whole window."""


def read_anchors(job, wallets, blocks, times):
    """Every commitment of these wallets in these blocks and between these two moments, in chain order."""
    proof, endpoint = job.proof, job.endpoint
    (first, last), (start, end) = blocks, times
    number = "0x%064x" % proof["eventNumber"]
    # Under any book: the terms name none.
    topics = [ANCHORED_TOPIC, [word_of(wallet) for wallet in sorted(wallets)], None, number]
    found = []
    for log in read_window(job, REGISTER, topics, first, last):
        if log.is_removed or log.address != REGISTER or log.topics[:1] != [ANCHORED_TOPIC]:
            continue
        if len(log.topics) != 4 or len(log.data) != 66:
            raise AnswerError("It answered a log that the register cannot have made.")
        if not fits(log, REGISTER, topics) or not first <= log.block <= last:
            raise AnswerError("It answered logs that were not asked for.")
        moment = endpoint.must_header(log.block).timestamp
        if start <= moment < end:
            found.append(Anchor(log.block, log.log, moment, log.transaction, "0x" + log.topics[1][26:], log.data))
    at = proof["anchor"]["blockNumber"] if proof["anchor"] else -1
    if first <= at <= last and all(anchor.block != at for anchor in found):
        # Some endpoints answer no logs where they have lost them, as if there had been none.
        receipts = receipts_or_none(endpoint, topics, at)
        if any(fits(log, REGISTER, topics) for receipt in receipts for log in receipt.logs):
            raise AnswerError("Its logs leave out an anchor that its receipts show.")
    return sorted(found)


def receipts_or_none(endpoint, topics, block):
    """The receipts of a block; none where they are gone, and no anchor can have been among them."""
    try:
        receipts = endpoint.block_receipts(block)
        if not receipts:
            raise HistoryError("It does not have the receipts of block %d." % block)
        return receipts
    except EndpointError:
        if endpoint.may_hold(REGISTER, topics, block):
            raise
        return []


def read_window(job, address, topics, first, last):
    """Logs of all these blocks: by one query, or by as few as the endpoint takes."""
    found, at, size, asked = [], first, last - first + 1, 0
    while at <= last:
        to = min(at + size - 1, last)
        asked += 1
        try:
            found += job.endpoint.logs(address, topics, at, to)
            at = to + 1
        except AnswerError:
            raise
        except EndpointError:
            size //= 2
        if at <= last and (size == 0 or asked >= job.calls):
            if job.is_full:
                job.tell("anchor: no logs are served, so %s headers are asked for" % count(last - first + 1))
                windows = [(start, min(start + 99, last)) for start in range(first, last + 1, 100)]
                pieces = in_order(lambda window: job.endpoint.logs_by_blooms(address, topics, *window), windows)
                return [log for piece in pieces for log in piece]
            raise NotServed
    return found


def needs_endpoint(step, check):
    return lambda job: check(job) if job.endpoint else skipped(step, "No endpoint was given.")


CHAIN_CHECKS = {
    "chain": needs_endpoint("chain", check_chain),
    "draw-block": needs_endpoint("draw-block", check_draw_block),
    "blocks": needs_endpoint("blocks", check_blocks),
    "receipts": needs_endpoint("receipts", check_receipts),
    "completeness": needs_endpoint("completeness", check_completeness),
    "anchor": check_anchor,
}


# ---------------------------------------------------------------------------------------------------------------------
# The command
# ---------------------------------------------------------------------------------------------------------------------

COULD_NOT_BEGIN = 64
EXIT_CODES = {"verified": 0, "contradicted": 1, "incomplete": 2}
MARKS = {"passed": "ok  ", "failed": "FAIL", "partial": "part", "unknown": "??  ", "skipped": "-   "}
LACKS = {
    "logs": "The endpoint serves no logs: another one may.",
    "archive": "The endpoint no longer has blocks as old as this sale: one with an archive has.",
    "line": "What you noted by hand is not all that was promised: keep the whole terms line from the page while tickets "
    "are sold, and give it with --terms.",
    "content": "The terms promise what is raffled by its SHA-256: save the answer of raffle/content/{event} and give it "
    "with --content.",
    "dates": "Your terms line is from before the dates were set: give a later one from the page too, of yours or of "
    "another buyer, or what you noted with --sale-end and --draw-date.",
}


class UsageError(Exception):
    """Nothing can be checked with these options."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(message)


def parser():
    options = Parser(add_help=False, allow_abbrev=False)
    for name in "site event rpc proof ledger content wallet price sale-start sale-end draw-date chain token".split():
        options.add_argument("--" + name)
    options.add_argument("--terms", action="append")
    options.add_argument("--beacon-key")
    options.add_argument("--beacon-genesis", default="1600000000")
    options.add_argument("--full", action="store_true")
    options.add_argument("--state")
    options.add_argument("--batch", action="store_true", help=argparse.SUPPRESS)
    options.add_argument("--help", action="store_true")
    return options


def main(args):
    try:
        options = parser().parse_args(args)
        if options.help:
            raise UsageError("Usage:")
        if options.batch:
            return batch(sys.stdin)
        job = job_of(options)
    # ValueError: a host that is none, or a site whose header has a length that is no number.
    except (UsageError, OSError, http.client.HTTPException, ValueError) as error:
        show(str(error))
        print(__doc__)
        return COULD_NOT_BEGIN
    if options.full:
        job.tell = lambda text: print(harmless(text), file=sys.stderr, flush=True)
    results = []
    for result in verify(job):
        results.append(result)
        show("%s %s" % (MARKS[result.status], STEPS[result.step]))
        show("       " + result.text)
        if result.expected is not None:
            show("       expected %s" % (result.expected,))
        if result.actual is not None:
            show("       found    %s" % (result.actual,))
    if len(results) > 1:
        hashes = "".join(block["hash"][2:] for block in job.proof["blocks"])
        show("")
        show("The block seed, in a shell:")
        show("  printf '%%s' %s | xxd -r -p | sha256sum" % hashes)
    verdict = verdict_of(results)
    show("")
    for line in verdict_lines(verdict, results):
        show(line)
    return EXIT_CODES[verdict]


def verdict_lines(verdict, results):
    if verdict == "verified":
        return ["Verified: all %d steps were done, and passed." % len(results)]
    if verdict == "contradicted":
        wrong = "; ".join(STEPS[result.step] for result in results if result.status == "failed")
        return ["Contradicted: %s: not so, see above." % wrong]
    steps = unchecked(results)
    text = "Incomplete: nothing contradicts this draw, but %d of %d steps %s not checked, or not in full:"
    lines = [text % (len(steps), len(results), "was" if len(steps) == 1 else "were")]
    lines += ["  " + STEPS[step] for step in steps]
    return lines + [text for lack, text in LACKS.items() if any(result.lacks == lack for result in results)]


def batch(lines):
    """Many checks in one process, for tests: a JSON object a line in, one out."""
    for line in lines:
        if not line.strip():
            continue
        case = json.loads(line)
        answer = {"id": case["id"]}
        try:
            options = parser().parse_args(case.get("args") or [])
            options.proof, options.ledger, options.rpc = case["proof"], case["ledger"], case.get("rpc")
            job = job_of(options, case.get("terms"))
            results = list(verify(job))
            answer["verdict"] = verdict_of(results)
            answer["steps"] = {result.step: result.status for result in results}
            answer["texts"] = {result.step: harmless(result.text) for result in results}
        except (UsageError, OSError) as error:
            answer["verdict"], answer["steps"] = "unusable", {}
            answer["texts"] = {"": harmless(str(error))}
        print(json.dumps(answer), flush=True)
    return 0


def harmless(text):
    """Replaces control characters in texts of files and endpoints, as they could forge a verdict."""
    def is_harmless(each):
        return unicodedata.category(each)[0] != "C" and each not in "\u2028\u2029"

    return "".join(each if is_harmless(each) else "\ufffd" for each in text)


def show(text):
    print(harmless(text), flush=True)


def job_of(options, kept=None):
    known = known_terms(options)
    if kept is None:
        kept = [promise for told in options.terms or [] for promise in kept_terms(told)]
    else:
        kept = [promise_of(each) for each in kept]
    network = None
    if options.beacon_key:
        key = re.fullmatch("(?:0x)?([0-9a-fA-F]{192})", options.beacon_key)
        if not key or not re.fullmatch("[0-9]{1,12}", options.beacon_genesis):
            raise UsageError("--beacon-key is 96 bytes in hexadecimal, --beacon-genesis a number of seconds.")
        network = local_network(bytes.fromhex(key.group(1)), int(options.beacon_genesis))
    endpoint = Endpoint(options.rpc) if options.rpc else None
    content = None
    if options.content:
        content = b"".join(pieces_of(open(options.content, "rb"))).decode("utf-8", "replace")
    if options.proof and options.ledger:
        proof, ledger = b"".join(pieces_of(open(options.proof, "rb"))), pieces_of(open(options.ledger, "rb"))
    elif options.site and "eventNumber" in known:
        parts = parts_of(options.site, "--site is an address such as https://raffle.example.")
        base = "%s://%s/api/raffle/%%s/%d" % (parts.scheme, parts.netloc, known["eventNumber"])
        proof, ledger = b"".join(pieces_of(download(base % "proof"))), pieces_of(download(base % "ledger"))
        content = content if content is not None else served_content(base % "content")
    else:
        raise UsageError("Name a site and an event, or the files of a proof and a ledger.")
    text = proof.decode("utf-8", "replace")
    job = Job(text, ledger, endpoint, known, kept, network, options.full)
    job.memory = Memory(options.state, text)
    job.content = content
    return job


def served_content(url):
    """What the event raffles, as the site tells it; None where it tells nothing."""
    try:
        return b"".join(pieces_of(download(url), LARGEST_CONTENT)).decode("utf-8", "replace")
    except urllib.error.HTTPError:
        return None


def parts_of(url, problem):
    try:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0):
            return parts
    except ValueError:
        pass
    raise UsageError(problem)


def pieces_of(file, largest=LARGEST_DOWNLOAD):
    """
    The bytes of a file or answer; stops above the limit, so a site cannot fill the memory, and where it takes too long,
    as one that sends drops would hold the check for ever.
    """
    size, end = 0, time.monotonic() + LONGEST_DOWNLOAD
    length = getattr(file, "headers", {}).get("Content-Length")
    # What is there already, of an answer: `read` waits until it has all that was asked for.
    read = getattr(file, "read1", file.read)
    with file:
        while True:
            piece = read(65_536)
            size += len(piece)
            if size > largest:
                raise OSError("It is larger than %d MiB." % (largest >> 20))
            if time.monotonic() > end:
                raise OSError("It took too long.")
            if not piece:
                break
            yield piece
    # What breaks off is no other list: it was not read.
    if length is not None and size < int(length):
        raise OSError("It broke off after %d bytes." % size)


def download(url):
    return urllib.request.urlopen(url, timeout=60)


def known_terms(options):
    """Terms that a person noted while tickets were sold, by the names that they have in the proof."""
    known = {}
    if options.event is not None:
        if not re.fullmatch("[1-9][0-9]{0,14}", options.event):
            raise UsageError("--event is a number such as 1.")
        known["eventNumber"] = int(options.event)
    for name, field in (("wallet", "operatorWallet"), ("token", "token")):
        text = getattr(options, name)
        if text is not None:
            if not re.fullmatch(ADDRESS, text.lower()):
                raise UsageError("--%s is no address." % name)
            known[field] = text.lower()
    if options.chain is not None:
        if not re.fullmatch("[1-9][0-9]{0,14}", options.chain):
            raise UsageError("--chain is a number such as 97.")
        known["chainId"] = int(options.chain)
        if known["chainId"] != CHAIN_ID and options.token is None:
            raise UsageError("Name the token of chain %s too, with --token." % options.chain)
    if options.price is not None:
        price = re.fullmatch(r"([0-9]{1,12})(?:\.([0-9]{1,2}))?", options.price)
        if not price:
            raise UsageError("--price is an amount such as 3 or 2.50.")
        known["ticketPrice"] = str(int(price.group(1) + (price.group(2) or "").ljust(2, "0")) * 10**16)
    for name, field in (("sale_start", "saleStart"), ("sale_end", "saleEndDate"), ("draw_date", "drawDate")):
        text = getattr(options, name)
        if text is not None:
            moment = moment_of(text)
            if moment is None:
                raise UsageError("--%s is no date such as 2025-09-30T12:00:00Z." % name.replace("_", "-"))
            known[field] = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(moment))
    return known


def moment_of(text):
    """`YYYY-MM-DD[THH:MM[:SS[.sss]]][Z]`, in UTC, cut to whole seconds."""
    form = r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T([0-9]{2}:[0-9]{2})(?::([0-9]{2})(?:\.[0-9]{1,9})?)?)?Z?"
    match = re.fullmatch(form, text.strip())
    return match and seconds_of("%sT%s:%s.000Z" % (match.group(1), match.group(2) or "00:00", match.group(3) or "00"))


def kept_terms(told):
    """Promises from a line, from a file of lines, or from a file of what a buyer's browser kept."""
    if "," in told and "blockdraw-terms" in told:
        return [promise_of(told)]
    with open(told, "rb") as file:
        text = file.read(2**20).decode("utf-8-sig", "replace")
    if text.lstrip()[:1] in ("[", "{"):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise UsageError("--terms is no file of terms.") from None
        return [promise_of(each) for each in (found if isinstance(found, list) else [found])]
    return [promise_of(line) for line in text.splitlines() if line]


def promise_of(kept):
    """What was kept, in one form; a line that a person copied may lack its end."""
    if isinstance(kept, str):
        kept = {"terms": kept}
    if not isinstance(kept, dict) or not isinstance(kept.get("terms"), str):
        raise UsageError("--terms is no line of terms.")
    first, moments = kept.get("firstDrawDate"), {name: kept.get(name) for name in ("ownUntil", "toldUntil")}
    if first is not None:
        first = moment_of(str(first))
        if first is None:
            raise UsageError("--terms has a first draw date that is none.")
    for name, moment in moments.items():
        if moment is not None and type(moment) is not int:
            raise UsageError("--terms has a %s that is no number." % name)
    return {"terms": kept["terms"].rstrip("\r\n") + "\n", "firstDrawDate": first, **moments}


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    try:
        code = main(sys.argv[1:])
    except Exception as error:
        # Python's own exit code for it is 1, which says that the draw is contradicted.
        show("Nothing could be checked: %s: %s" % (type(error).__name__, error))
        code = COULD_NOT_BEGIN
    sys.exit(code)
