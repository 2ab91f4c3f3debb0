import type { Hex } from 'viem'
import { type BeaconNetwork, quicknet } from '../draw/beacon.ts'
import { localBeacon } from '../draw/local-beacon.ts'
import { EnvError } from './env.ts'
import { hasOwnClock } from './witnesses.ts'

/** `bun run start` gives the local chain's own beacon in LOCAL_BEACON_KEY, which stops any other start. */
export function beaconNetworkOf(
  { rpcUrls }: { rpcUrls: readonly string[] },
  key: string | undefined = process.env.LOCAL_BEACON_KEY,
): BeaconNetwork {
  if (!key) return quicknet
  if (!hasOwnClock(rpcUrls))
    throw new EnvError('LOCAL_BEACON_KEY', 'is for a local chain alone: drand is built in.')
  if (!/^0x[0-9a-f]{192}$/.test(key))
    throw new EnvError('LOCAL_BEACON_KEY', 'must be 0x and 192 hexadecimal digits.')
  return localBeacon(key as Hex)
}
