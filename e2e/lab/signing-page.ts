import { type Address, getAddress } from 'viem'
import { expect } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { unitsOf } from '../../core/money.ts'
import { bundlesOf } from '../../site/src/admin/refund/signing/bundles.ts'
import { createDesk } from '../../site/src/admin/refund/signing/desk.ts'
import type { Journal, JournalEntry } from '../../site/src/admin/refund/signing/journal.ts'
import type { DeskDeps, DeskState } from '../../site/src/admin/refund/signing/state.ts'
import type { RefundApi, Terms } from '../../site/src/admin/refund/signing/types.ts'
import { readAllowance } from '../../site/src/admin/refund/signing/wallet.ts'
import { operator } from './chain.ts'
import { type Desk, openDesk } from './refund-desk.ts'
import { scriptedWallet } from './refund-wallet.ts'
import { usdt } from './usdt.ts'

export const payers = 12

/** An event in refund mode that owes twelve payers something, and the page's own signing without a browser. */
export async function openSigning() {
  const world = await openDesk()
  const owed = await payIn(world)
  await world.refundMode()

  /** The calls of the dashboard; the workers look at the chain each time it asks. */
  const checked = async (calling: ReturnType<Desk['post']>) => {
    const { status, body } = await calling
    if (status !== 200) throw Object.assign(new Error(body.message), { code: body.code })
    return body
  }
  const api: RefundApi = {
    open: async () => {
      await world.settle()
      return (await checked(world.execute())).refundTransactions
    },
    offer: async (request) => checked(world.post('/refunds/offer', request)),
    keep: async (request) => void (await checked(world.post('/refunds/keep', request))),
    sent: async (ids, transactionHash) =>
      void (await checked(world.post('/refunds/sent', { ids, transactionHash }))),
    bundled: async (ids, bundle) => void (await checked(world.post('/refunds/sent', { ids, bundle }))),
    bundles: async (wallet) => bundlesOf((await checked(world.get('/refunds'))).rows, wallet),
    rejected: async (rows) => void (await checked(world.post('/refunds/rejected', { rows }))),
  }
  const terms: Terms = { chainId: 56, token: usdt, wallet: operator }
  const wallet = (more: Partial<Parameters<typeof scriptedWallet>[0]> = {}) =>
    scriptedWallet({ url: world.chain.url, account: getAddress(operator), ...more })
  function page(own: ReturnType<typeof wallet>, more: Partial<DeskDeps> = {}) {
    const states: DeskState[] = []
    const desk = createDesk({
      ...{ provider: own.provider, api, terms, journal: memoryJournal() },
      ...{
        onChange: (state: DeskState) => void states.push(state),
        pollMs: 5,
        keepMs: 60_000,
        maxIdlePolls: 40,
      },
      ...more,
    })
    return { ...desk, states }
  }

  return {
    ...{ ...world, owed, api, terms, wallet, page },
    /** Runs the page, which comes to that state. */
    runTo: async (desk: ReturnType<typeof page>, state: object): Promise<void> => {
      await desk.run()
      expect(desk.state()).toMatchObject(state)
    },
    /** Everybody has exactly what they paid, counted from the logs. */
    expectAllPaid: async (): Promise<void> => {
      await world.settle()
      expect(await world.paidOut()).toEqual(owed)
      const { body } = await world.execute()
      expect(body.refundTransactions).toEqual([])
      expect(body.summary.totalRefunds).toBe(payers)
    },
    /** Units that the register may take of the operator's wallet. */
    allowance: () => readAllowance(wallet().provider, usdt, operator, register.address),
  }
}

export function memoryJournal(): Journal & { entries: JournalEntry[] } {
  const journal = {
    entries: [] as JournalEntry[],
    read: () => journal.entries,
    write: (entries: JournalEntry[]) => {
      journal.entries = entries
    },
  }
  return journal
}

/** Each payer pays 3 USDT more than the one before. Answers what each is owed. */
async function payIn({ chain }: Desk): Promise<Map<Address, bigint>> {
  const owed = new Map<Address, bigint>()
  const [rich] = chain.buyers
  for (let index = 0; index < payers; index++) {
    const payer: Address = `0x${(index + 0xabc0).toString(16).padStart(40, '1')}`
    owed.set(payer, unitsOf(300 * (index + 1)))
    await chain.submitPayment({ from: rich, to: payer, cents: 300 * (index + 1) })
    await chain.rpc('anvil_setBalance', [payer, '0xde0b6b3a7640000'])
    await chain.rpc('anvil_impersonateAccount', [payer])
  }
  await chain.mine()
  let cents = 0
  for (const payer of owed.keys()) {
    cents += 300
    await chain.submitPayment({ from: payer, cents })
  }
  return owed
}
