import { type AddressKey, addressKeys, exactKey } from '../../core/address-key.ts'
import { bearerHash, sha256Hex } from './token.ts'

/** Who calls the administrator area, as far as it is known before the first query. */
export type Caller = {
  /** A session, a device or an address that has logged in before has limits of its own, apart from strangers. */
  knownBy: 'session' | 'device' | 'address' | 'stranger'
  /** What failed logins count by: nobody else spends those tries. */
  keys: readonly AddressKey[]
  /** Hash of the token that was sent, known or not. */
  tokenHash?: string | undefined
  deviceHash?: string | undefined
}

const callers = new WeakMap<Request, Caller>()

/** The caller of a request that has passed admission. */
export const callerOf = (request: Request, address: string): Caller =>
  callers.get(request) ?? strangerOf(request, addressKeys(address))

export function noteCaller(request: Request, caller: Caller): void {
  callers.set(request, caller)
}

export const strangerOf = (request: Request, keys: readonly AddressKey[]): Caller => ({
  knownBy: 'stranger',
  keys,
  tokenHash: bearerHash(request),
  deviceHash: deviceHashOf(request),
})

/** The key of a session or a device, which nobody else has. */
export const ownKeys = (knownBy: 'session' | 'device', hash: string): readonly AddressKey[] => [
  exactKey(`${knownBy}:${hash}`),
]

/** The login page keeps a random id and sends it with each call. It opens nothing, it only tells a browser from strangers. */
function deviceHashOf(request: Request): string | undefined {
  const id = request.headers.get('x-device-id') ?? ''
  return /^[\w-]{40,100}$/.test(id) ? sha256Hex(id) : undefined
}
