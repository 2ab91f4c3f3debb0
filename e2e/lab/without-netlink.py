#!/usr/bin/env python3
"""Runs the program of $PROGRAM in its own place, unable to hear of the machine's network interfaces.

A Chromium that hears of an interface that comes or goes, of a container or a VPN, ends every request that waits
for a connection with ERR_NETWORK_CHANGED, loopback or not, and no option of it says otherwise. It hears of them
over a netlink socket and goes on without one: here the kernel refuses it that one kind of socket (seccomp).
"""

import ctypes
import os
import platform
import struct
import sys

SOCKET = {"x86_64": 41, "aarch64": 198}
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, FAIL = 0x7FFF0000, 0x00050000
AF_NETLINK, EAFNOSUPPORT = 16, 97


def rule(code, if_true, if_false, value):
    return struct.pack("<HBBI", code, if_true, if_false, value)


def refuse_netlink(socket_call):
    rules = b"".join(
        [
            rule(LOAD, 0, 0, 0),  # which system call
            rule(JUMP_IF_EQUAL, 0, 3, socket_call),
            rule(LOAD, 0, 0, 16),  # its first argument, the family
            rule(JUMP_IF_EQUAL, 0, 1, AF_NETLINK),
            rule(RETURN, 0, 0, FAIL + EAFNOSUPPORT),
            rule(RETURN, 0, 0, ALLOW),
        ]
    )
    held = ctypes.create_string_buffer(rules, len(rules))
    program = struct.pack("<HxxxxxxQ", len(rules) // 8, ctypes.addressof(held))
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.create_string_buffer(program), 0, 0)


if platform.machine() in SOCKET:
    refuse_netlink(SOCKET[platform.machine()])
path = os.environ["PROGRAM"]
os.execv(path, [path, *sys.argv[1:]])
