import { addressKeys, exactKey } from '../../core/address-key.ts'
import { isListed } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { fairQueue } from '../../core/server/fair-queue.ts'
import type { Limits } from '../http/limits.ts'
import { type Caller, noteCaller, ownKeys, strangerOf } from './caller.ts'
import type { Known, KnownCallers } from './known-callers.ts'

const text = '요청이 너무 많습니다. 잠시 후 다시 시도해주세요.'
/** Between two strangers the calls of visitors are served. */
const strangerEveryMs = 2
const maxWaiting = 1_000

/**
 * Admission to the administrator area, before any query of the call's own. A live session, a device and an address
 * that have logged in before have limits of their own, whatever strangers of the same address do. Everybody
 * else passes the rate limit of his address, and then enters one by one; who has called least goes first.
 */
export function adminAdmission(limits: Limits, known: KnownCallers) {
  const inSeconds = 4
  const ofSession = limits({ name: 'session', calls: 1_000, inSeconds, text })
  const ofDevice = limits({ name: 'device', calls: 100, inSeconds, text })
  const ofRegular = limits({ name: 'regular', calls: 100, inSeconds, text })
  const ofStranger = limits({ name: 'stranger', calls: 20, inSeconds, text })
  const inTurn = fairQueue(1, {
    maxWaiting,
    refuse: () => new RaffleError('RATE_LIMITED', text, { retryAfterSeconds: 5 }),
  })

  const waitForTurn = (who: string, used: number): Promise<void> =>
    new Promise((admit, reject) => {
      inTurn(who, used, () => {
        admit()
        return Bun.sleep(strangerEveryMs)
      }).catch(reject)
    })

  return async (request: Request, address: string): Promise<void> => {
    const keys = addressKeys(address)
    const remembered = await known.recent()
    const caller = recognise(strangerOf(request, keys), remembered)
    noteCaller(request, caller)
    if (caller.knownBy === 'session')
      // With the address: a stolen token used elsewhere does not use up its owner's calls.
      await ofSession.admitKeys([exactKey(`${caller.tokenHash} ${keys[0]?.key}`)])
    else if (caller.knownBy === 'device') await ofDevice.admitKeys(caller.keys)
    else if (caller.knownBy === 'address') await ofRegular.admitKeys(keys.slice(0, 1))
    else {
      const used = await ofStranger.admitKeys(keys)
      // Who is not on the address list is refused in the next step: he never stands in line.
      if (isListed(remembered.allowedIps, address)) await waitForTurn(keys.at(-1)?.key ?? address, used)
    }
  }
}

function recognise(caller: Caller, { tokens, devices, addresses }: Known): Caller {
  const { tokenHash, deviceHash, keys } = caller
  if (tokenHash && tokens.has(tokenHash))
    return { ...caller, knownBy: 'session', keys: ownKeys('session', tokenHash) }
  if (deviceHash && devices.has(deviceHash))
    return { ...caller, knownBy: 'device', keys: ownKeys('device', deviceHash) }
  return addresses.has(keys[0]?.key ?? '') ? { ...caller, knownBy: 'address' } : caller
}
