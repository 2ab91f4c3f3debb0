import { createHash, randomBytes } from 'node:crypto'
import { type AddressKey, addressKeys, exactKey } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { sharing } from '../../core/server/concurrency.ts'
import { findKnown } from '../../db/admin/sessions.ts'
import type { Db } from '../../db/index.ts'
import type { Limits } from '../http/limits.ts'

/** Who calls the administrator area, as far as it is known before the first query of the call's own. */
export type Caller = {
  /** Administrators whose live session or browser this is; for every other account it is a stranger's. */
  of: readonly number[]
  /** What failed logins count by: those of its session or browser, which nobody else spends, or of a stranger's address. */
  keys: { own: readonly AddressKey[]; stranger: readonly AddressKey[] }
  /** Hash of the token that was sent, known or not. */
  tokenHash?: string | undefined
  /** Hash of the cookie that was sent, known or not. */
  browserHash?: string | undefined
}

/** 256 random bits; only their SHA-256 is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

const keptSeconds = 30 * 86_400

/** The cookie that tells a browser. It opens nothing by itself; a session that a browser opened is good only
 * with it. Plain HTTP is for a trial on this machine alone, where a browser keeps no `__Host-` cookie. */
export function browserCookie(isLocal: boolean) {
  const name = isLocal ? 'admin' : '__Host-admin'
  const pattern = new RegExp(`(?:^|; *)${name}=([\\w-]{40,100})(?:;|$)`)
  return {
    of: (request: Request): string | undefined => pattern.exec(request.headers.get('cookie') ?? '')?.[1],
    set: (value: string): string =>
      `${name}=${value}; Path=/; Max-Age=${keptSeconds}; HttpOnly; SameSite=Strict${isLocal ? '' : '; Secure'}`,
  }
}
export type BrowserCookie = ReturnType<typeof browserCookie>

/** Whether a browser sends this login from a page of our own site; false for a program, which tells nothing
 * of the kind. Throws ORIGIN_DENIED for the page of another site. */
export function isOwnPage({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  if (site === null) return false
  if (site === 'same-origin' || site === 'same-site') return true
  throw new RaffleError('ORIGIN_DENIED', { reason: 'login' })
}

const callers = new WeakMap<Request, Caller>()

export const callerOf = (request: Request, address: string): Caller =>
  callers.get(request) ?? strangerAt(address)

/** @internal */
export const strangerAt = (address: string): Caller => ({
  of: [],
  keys: { own: [], stranger: addressKeys(address) },
})

const rememberedMs = 250

/** Admission to the administrator area, before any query of the call's own: live sessions and known browsers
 * have limits of their own. */
export function adminAdmission({ db, limits }: { db: Db; limits: Limits }, cookie: BrowserCookie) {
  const ofKnown = limits({ name: 'known', calls: 1_000, inSeconds: 4 })
  const ofStranger = limits({ name: 'stranger', calls: 20, inSeconds: 4 })
  let known: Awaited<ReturnType<typeof findKnown>> | undefined
  let readAt = 0
  const read = sharing(async () => {
    const at = performance.now()
    known = await findKnown(db)
    readAt = at
  })
  async function current() {
    if (!known) await read()
    else if (performance.now() - readAt > rememberedMs) void read().catch(() => undefined)
    return known
  }

  async function recognise(request: Request, address: string): Promise<Caller> {
    const token = /^Bearer ([\w-]{20,100})$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const sent = cookie.of(request)
    const tokenHash = token && sha256Hex(token)
    const browserHash = sent && sha256Hex(sent)
    const unknown = { ...strangerAt(address), tokenHash, browserHash }
    const { tokens, browsers } = (tokenHash || browserHash ? await current() : known) ?? nobody
    const knownAs = (key: string, of: readonly number[]): Caller => ({
      ...unknown,
      of,
      keys: { ...unknown.keys, own: [exactKey(key)] },
    })
    const session = tokenHash === undefined ? undefined : tokens[tokenHash]
    if (session && (session.browser === null || session.browser === browserHash))
      return knownAs(`session:${tokenHash}`, session.of)
    const browser = browserHash === undefined ? undefined : browsers[browserHash]
    return browser ? knownAs(`browser:${browserHash}`, browser) : unknown
  }

  return {
    admit: async (request: Request, address: string): Promise<void> => {
      const caller = await recognise(request, address)
      callers.set(request, caller)
      if (caller.of.length === 0) await ofStranger.admitKeys(caller.keys.stranger)
      // With the address: a stolen token that is used elsewhere does not use up its owner's calls.
      else await ofKnown.admitKeys(caller.keys.own.map(({ key }) => exactKey(`${key} ${address}`)))
    },
    /** A session that was opened just now is no stranger's at its next call. */
    remember: read,
  }
}
export type AdminAdmission = ReturnType<typeof adminAdmission>

const nobody: Awaited<ReturnType<typeof findKnown>> = { tokens: {}, browsers: {} }
