import type { Address } from 'viem'
import type { OurWallet, SaleTerms } from '../../../core/judge.ts'
import { unitsOf } from '../../../core/money.ts'
import type { PublicChange, PublicConfig, PublicPurchase, PublicStats } from '../../../core/public.ts'
import { readText } from '../../../core/verify/download.ts'

/** What a site says of its open event. */
export type SiteClaim = {
  chainId: number
  token: Address
  terms: SaleTerms
  /** Wallets that the site has called its own, in public. */
  ownWallets: readonly OurWallet[]
  ticketsSold: number
  /** The newest purchases, newest first. */
  recent: readonly PublicPurchase[]
}

const timeoutMs = 15_000

/** The site did not answer, or not as our API does: it says nothing of its ledger. */
export class SiteError extends Error {
  override name = 'SiteError'
}

/** Undefined while the event has no operator wallet: nobody can buy. */
export async function readClaim(site: string): Promise<SiteClaim | undefined> {
  const [config, stats, recent, changes] = await Promise.all([
    getJson<PublicConfig>(site, 'raffle/config'),
    getJson<PublicStats>(site, 'raffle/stats'),
    getJson<PublicPurchase[]>(site, 'tickets/recent'),
    getJson<PublicChange[]>(site, 'raffle/changes'),
  ])
  if (!config.operatorWallet) return undefined
  const seconds = (date: string) => Date.parse(date) / 1000
  return {
    chainId: config.chainId,
    token: config.tokenAddress.toLowerCase() as Address,
    terms: {
      number: config.eventNumber,
      operatorWallet: config.operatorWallet.toLowerCase() as Address,
      ticketPrice: unitsOf(BigInt(Math.round(stats.ticketPrice * 100))),
      saleStart: seconds(config.saleStart),
      saleEnd: config.saleEndDate === null ? null : seconds(config.saleEndDate),
      isClosed: false,
    },
    ownWallets: changes.flatMap(ownWalletIn),
    ticketsSold: stats.ticketsSold,
    recent,
  }
}

/** As `addOwnWallet` lists it: "0x… since 2025-09-30T12:00:00.000Z". */
function ownWalletIn({ field, to }: PublicChange): OurWallet[] {
  const [, address, since] = /^(0x[0-9a-fA-F]{40}) since (\S+)$/.exec(to ?? '') ?? []
  if (field !== 'ownWallet' || !address || !since) return []
  const ownSince = Date.parse(since) / 1000
  return [{ address: address.toLowerCase() as Address, since: ownSince, ownSince }]
}

/** The canonical file; undefined before the list is frozen. */
export async function readLedger(site: string, eventNumber: number): Promise<string | undefined> {
  const response = await get(site, `raffle/ledger/${eventNumber}`)
  if (response.status === 409) return undefined
  if (!response.ok) throw new SiteError(`The ledger was answered with ${response.status}.`)
  return readText(response)
}

async function getJson<T>(site: string, path: string): Promise<T> {
  const response = await get(site, path)
  if (!response.ok) throw new SiteError(`${path} was answered with ${response.status}.`)
  try {
    return JSON.parse(await readText(response)) as T
  } catch {
    throw new SiteError(`${path} is not JSON.`)
  }
}

const get = (site: string, path: string): Promise<Response> =>
  fetch(`${site}/api/${path}`, { signal: AbortSignal.timeout(timeoutMs), cache: 'no-store' }).catch(() => {
    throw new SiteError(`${path} was not answered.`)
  })
