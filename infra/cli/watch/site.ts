import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Address } from 'viem'
import { formerWalletsSha256, parseTerms } from '../../../core/event/terms.ts'
import { unitsOf } from '../../../core/money.ts'
import type { OurWallet, SaleTerms } from '../../../core/payment/judge.ts'
import { readText, TooLargeError } from '../../../core/verify/download.ts'

/** What a site says of its open event. */
export type SiteClaim = {
  chainId: number
  token: Address
  terms: SaleTerms
  /** Wallets of the operator, which its terms name by a hash. */
  ownWallets: readonly OurWallet[]
  ticketsSold: number
  /** The newest purchases, newest first. */
  recent: readonly Purchase[]
  /** Where the answers contradict each other: the page shows something else than the terms promise. */
  contradiction: string | undefined
}
export type Purchase = Static<typeof purchase>

const timeoutMs = 15_000
/** All answers but the ledger; a list of 50 purchases is some 20 KB. */
const answerLimit = 2 ** 20

/** The site did not answer: it says nothing of its ledger. */
export class SiteError extends Error {
  override name = 'SiteError'
}
/** It answered otherwise than our API does, which a reader cannot judge and must not pass over. */
export class MalformedError extends SiteError {
  override name = 'MalformedError'
}

const whole = t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const address = t.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
const config = t.Object({
  ...{ eventNumber: whole, chainId: whole, tokenAddress: address },
  ...{ operatorWallet: t.Union([address, t.Null()]), terms: t.String() },
  formerWallets: t.Array(address),
})
const stats = t.Object({ ticketsSold: whole, ticketPrice: t.Number({ exclusiveMinimum: 0, maximum: 1e9 }) })
const purchase = t.Object({
  ...{ ticketNumber: whole, ticketCount: whole, walletAddress: address, amount: whole },
  transactionHash: t.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
})

/** Undefined while the event has no operator wallet: nobody can buy. Throws SiteError. */
export async function readClaim(site: string): Promise<SiteClaim | undefined> {
  const [told, sales, recent] = await Promise.all([
    getJson(site, 'raffle/config', config),
    getJson(site, 'raffle/stats', stats),
    getJson(site, 'tickets/recent', t.Array(purchase)),
  ])
  const line = parseTerms(told.terms)
  if (!line) throw new MalformedError('raffle/config has no terms line.')
  if (line.operatorWallet === 'none' && told.operatorWallet === null) return undefined
  const terms: SaleTerms = {
    number: Number(line.eventNumber),
    operatorWallet: line.operatorWallet as Address,
    ticketPrice: BigInt(line.ticketPrice),
    saleStart: Number(line.saleStart),
    saleEnd: numberOrNull(line.saleEnd),
    isClosed: false,
    anchorWallet: line.anchorWallet === 'none' ? null : (line.anchorWallet as Address),
    formerWallets: told.formerWallets.map((wallet) => wallet.toLowerCase() as Address),
  }
  const shown: [string, unknown, unknown][] = [
    ['the event', told.eventNumber, terms.number],
    ['chain', told.chainId, Number(line.chainId)],
    ['token', told.tokenAddress.toLowerCase(), line.token],
    ['wallet', told.operatorWallet?.toLowerCase() ?? 'none', terms.operatorWallet],
    ['ticket price', unitsOf(BigInt(Math.round(sales.ticketPrice * 100))), terms.ticketPrice],
    ['former wallets', formerWalletsSha256(terms.formerWallets) ?? 'none', line.formerWalletsSha256],
  ]
  const odd = shown.find(([, one, other]) => one !== other)
  return {
    chainId: told.chainId,
    token: told.tokenAddress.toLowerCase() as Address,
    terms,
    ownWallets: [],
    ticketsSold: sales.ticketsSold,
    recent,
    contradiction: odd && `the site shows ${odd[0]} ${odd[1]}, its terms promise ${odd[2]}`,
  }
}

const numberOrNull = (value: string): number | null => (value === 'none' ? null : Number(value))

/** The canonical file; undefined before the list is frozen. */
export async function readLedger(site: string, eventNumber: number): Promise<string | undefined> {
  const response = await get(site, `raffle/ledger/${eventNumber}`)
  if (response.status === 409) return undefined
  if (!response.ok) throw new SiteError(`The ledger was answered with ${response.status}.`)
  return textOf(response, 'The ledger')
}

async function getJson<T extends TSchema>(site: string, path: string, schema: T): Promise<Static<T>> {
  const response = await get(site, path)
  if (!response.ok) throw new SiteError(`${path} was answered with ${response.status}.`)
  const text = await textOf(response, path, answerLimit)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new MalformedError(`${path} is not JSON.`)
  }
  if (Value.Check(schema, value)) return value
  throw new MalformedError(`${path} is malformed at "${Value.Errors(schema, value).First()?.path}".`)
}

/** Throws SiteError where the answer is cut off or has no end. */
const textOf = (response: Response, what: string, limit?: number): Promise<string> =>
  readText(response, limit).catch((error) => {
    throw error instanceof TooLargeError
      ? new MalformedError(`${what}: ${error.message}`)
      : new SiteError(`${what} was cut off.`)
  })

const get = (site: string, path: string): Promise<Response> =>
  fetch(`${site}/api/${path}`, { signal: AbortSignal.timeout(timeoutMs), cache: 'no-store' }).catch(() => {
    throw new SiteError(`${path} was not answered.`)
  })
