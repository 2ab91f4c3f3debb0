import { type Hex, sha256, stringToHex } from 'viem'
import { type BeaconNetwork, chainHashOf } from './beacon.ts'

/** The beacon of a chain on this machine, by its key: trials draw with rounds of their own, which are due in seconds. */
export function localBeacon(publicKey: Hex): BeaconNetwork {
  const network = {
    name: 'blockdraw-local',
    publicKey,
    genesis: 1_600_000_000,
    period: 3,
    gapSeconds: 3,
  } as const
  return { ...network, chainHash: chainHashOf(network, sha256(stringToHex(network.name))) }
}
