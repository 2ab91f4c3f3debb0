import { encodeFunctionData, type Hex } from 'viem'
import { register, registerAbi } from '../../../../core/chain/register.ts'
import { RaffleError } from '../../../../core/errors.ts'
import { listRefundRows } from '../../../../db/refund/list.ts'
import { offerByRegister } from '../../../../db/refund/offer-register.ts'
import { offerRefunds } from '../../../../db/refund/offers.ts'
import { noteRejected, noteSent } from '../../../../db/refund/reports.ts'
import { transferData, usdt } from '../../../lab/usdt.ts'
import type { World } from '../world.ts'
import type { Step } from './story.ts'
import { nonceOf, payingWallets, type Signed, send, transfersData } from './wallets.ts'

type Of<N extends Step['do']> = Extract<Step, { do: N }>
/** What a wallet shows and waits to be answered, however long; `nonce`: the page has chosen it. */
export type Popup = {
  rows: { id: number; revision: number }[]
  call: Omit<Signed, 'hash' | 'nonce'> & { nonce?: number }
}
/** `hasWaived`: the first wallet has given up what it owed, and what came later it gives up too. */
export type Desk = { popups: Popup[]; signed: Signed[]; hasWaived: boolean }

const scopes = (['event', 'leftover'] as const).map((kind) => ({ kind, eventNumber: 1 }))
export const rowsOf = async (world: World) =>
  (await Promise.all(scopes.map((scope) => listRefundRows(world.db, scope)))).flat()

/** The page asks for rows and hands them to the wallet. */
export async function offer(world: World, desk: Desk, step: Omit<Of<'offer'>, 'do'>): Promise<void> {
  const rows = await rowsOf(world)
  if (rows.length === 0) return
  const all = rows.map(({ row }) => row.id)
  const ids = step.several ? all : [all[step.a % all.length] as number]
  const from = payingWallets[step.wallet]
  const nonce = await nonceOf(world, from, 'pending')
  // Of one row the page chooses the nonce; of several the wallet makes one transaction with a nonce of its own.
  const asked = { ids, wallet: from, nonce, transactions: 1, relayed: step.several }
  const offered = await world.db
    .transaction(async (tx) =>
      step.path === 'register'
        ? offerByRegister(tx, { ...asked, validFor: 3_600 })
        : { rows: await offerRefunds(tx, asked), register: null },
    )
    .catch((error) => {
      // Not now, or not by this wallet.
      if (error instanceof RaffleError) return undefined
      throw error
    })
  if (!offered || offered.rows.length === 0) return
  const claims = offered.rows.map(({ id, revision }) => ({ id, revision }))
  if (offered.register) {
    const { debtors, validUntil } = offered.register
    const data = encodeFunctionData({
      abi: registerAbi,
      functionName: 'payUpTo',
      args: [
        usdt,
        debtors.map(({ debtor }) => debtor),
        debtors.map(({ payee }) => payee),
        debtors.map(({ total }) => BigInt(total)),
        BigInt(validUntil),
      ],
    })
    desk.popups.push({ rows: claims, call: { from, to: register.address, data } })
    return
  }
  const transfers = offered.rows.map(({ to, units }) => ({ to, units: BigInt(units) }))
  const [first] = transfers
  if (!step.several && first) {
    const data = transferData(first.to, first.units)
    desk.popups.push({ rows: claims, call: { from, to: usdt, data, nonce } })
  } else
    desk.popups.push({ rows: claims, call: { from, to: world.mover, data: transfersData(from, transfers) } })
}

/** However late; the page may not hear of it. */
export async function sign(world: World, desk: Desk, { a, isHeard }: Omit<Of<'sign'>, 'do'>): Promise<void> {
  const popup = take(desk, a)
  if (!popup) return
  const nonce = popup.call.nonce ?? (await nonceOf(world, popup.call.from, 'pending'))
  const signed = await send(world, { ...popup.call, nonce })
  if (!signed) return
  desk.signed.push(signed)
  const ids = popup.rows.map(({ id }) => id)
  if (isHeard) await world.db.transaction((tx) => noteSent(tx, ids, signed.hash))
}

export async function reject(world: World, desk: Desk, a: number): Promise<void> {
  const popup = take(desk, a)
  if (popup) await world.db.transaction((tx) => noteRejected(tx, popup.rows))
}

/** Refused, and the page cannot say so. */
export const forget = (desk: Desk, a: number): void => void take(desk, a)

export async function drop(world: World, desk: Desk, a: number): Promise<void> {
  const signed = pick(desk.signed, a)
  if (signed) await world.ask('anvil_dropTransaction', signed.hash)
}

/** Somebody who still has it hands it in. */
export async function sendAgain(world: World, desk: Desk, a: number): Promise<void> {
  const signed = pick(desk.signed, a)
  if (signed && !(await isKnown(world, signed.hash))) await send(world, signed)
}

const isKnown = async (world: World, hash: Hex): Promise<boolean> =>
  (await world.ask('eth_getTransactionByHash', hash)) !== null

const pick = <T>(from: readonly T[], a: number): T | undefined => from[a % Math.max(1, from.length)]
function take(desk: Desk, a: number): Popup | undefined {
  const popup = pick(desk.popups, a)
  desk.popups = desk.popups.filter((one) => one !== popup)
  return popup
}
