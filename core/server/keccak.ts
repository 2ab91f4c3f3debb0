import { createKeccak } from 'hash-wasm'
import type { Hex } from 'viem'

const hasher = await createKeccak(256)

/** Keccak-256 on 64-bit integers, which JavaScript has none of: a tenth of the time that viem's takes. */
export const keccak256 = (bytes: Uint8Array): Hex => `0x${hasher.init().update(bytes).digest('hex')}`
