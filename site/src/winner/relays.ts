import { drandRelays, quicknet } from '../../../core/draw/beacon.ts'

/**
 * Where a page may fetch a round, with the chain hash: what follows is the path of drand's first HTTP interface. Pages of
 * the local chain have its beacon alone.
 */
export const relays: readonly string[] = import.meta.env.PUBLIC_LOCAL_BEACON_URL
  ? [import.meta.env.PUBLIC_LOCAL_BEACON_URL]
  : drandRelays.map((host) => `${host}/${quicknet.chainHash.slice(2)}`)
