import { readFileSync } from 'node:fs'
import { type Address, numberToHex, parseEther, toHex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { register } from '../../../core/chain/register.ts'
import { unitsOf } from '../../../core/money.ts'
import { encodeApprove, encodePayUpTo, encodeWaive } from '../../../core/refund/register-calls.ts'
import { parseEnv } from '../../../core/server/env.ts'
import { runAdmin } from '../../../infra/cli/admin.ts'
import { closeSale } from '../../../worker/payment/close-sale.ts'
import { operator } from '../../lab/chain.ts'
import { forEachTest } from '../../lab/opened.ts'
import { openDesk } from '../../lab/refund-desk.ts'
import { mintData, transferData, transfersBetween, usdt } from '../../lab/usdt.ts'

const runbook = readFileSync(new URL('../../../infra/README.md', import.meta.url), 'utf8')

/** What each step of a section tells to do, in its order: the last thing in code in a numbered step. */
function stepsOf(section: string): string[] {
  const text = runbook.split(`\n### ${section}\n`)[1]?.split('\n### ')[0] ?? ''
  const steps = text.split(/\n\d+\. /).slice(1)
  return steps.map((step) => {
    // A step ends where its list does.
    const code = (step.split('\n\n')[0] as string).match(/`[^`]+`/g)?.map((found) => found.slice(1, -1)) ?? []
    const told = code.find((one) => /^(docker compose exec|GET|POST|transfer$|SALES_PAUSED)/.test(one))
    if (!told) throw new Error(`nothing to do in "${step}"`)
    return told
  })
}

const desk = forEachTest(openDesk)
let refundWallet: Address
const owed = [600, 900, 1_200]

/** Three buyers have paid the wallet that is wrong or stolen. */
beforeEach(async () => {
  refundWallet = desk.chain.buyers[5] as Address
  for (const [at, cents] of owed.entries())
    await desk.chain.submitPayment({ from: desk.chain.buyers[at] as Address, cents })
  await desk.settle()
})

/** What the section wants typed on the host, with the wallet and its signature in place of what it leaves open. */
async function type(words: readonly string[], printed: string): Promise<string> {
  const message = /\n(Blockdraw event .*)\n/.exec(printed)?.[1] ?? ''
  const signature = await desk.chain.rpc<string>('personal_sign', [toHex(message), refundWallet])
  const given = words.map((word, at) =>
    word !== '0x…' ? word : words[at - 1] === 'add' ? refundWallet : signature,
  )
  const answer = runAdmin(desk.db, given)
  // A worker reads the wallet's past while the command waits.
  if (given.includes('--signature')) await Promise.all([answer, desk.watch()])
  return answer
}

/** Block time passes the end of the sale, and the workers come to know. */
async function freeze(): Promise<void> {
  const { saleEnd } = await desk.event()
  const end = Math.floor((saleEnd as Date).getTime() / 1_000) + 1
  await desk.chain.rpc('evm_setNextBlockTimestamp', [Math.max(end, Math.floor(Date.now() / 1_000) + 5)])
  await desk.settle()
  await closeSale(desk.deps)
}

const sendFrom = async (from: Address, to: Address, data: `0x${string}`) => {
  await desk.chain.submit({ from, to, data, gas: 5_000_000n })
  await desk.chain.mine()
}

/** Does what the steps say, each as a person would, and answers what came of the last offer: its status and rows. */
async function follow(steps: readonly string[]): Promise<{ status: number; rows: number }> {
  let printed = ''
  let offered = { status: 0, rows: 0 }
  let rows: { id: number }[] = []
  for (const step of steps) {
    const [command = '', path = ''] = step.split(' ')
    const does: Record<string, () => Promise<unknown>> = {
      docker: async () => {
        expect(step).toContain('docker compose exec api bun admin.js ')
        printed = await type(step.split('admin.js ')[1]?.split(' ') ?? [], printed)
      },
      'SALES_PAUSED=true': async () =>
        expect(parseEnv({ SALES_PAUSED: step.split('=')[1] }).salesPaused).toBe(true),
      transfer: () => sendFrom(operator, usdt, transferData(refundWallet, unitsOf(2_700))),
      'GET /api/admin/refunds': async () => {
        const { totalUnits } = (await desk.get('/refunds')).body.summary.event
        await desk.chain.rpc('anvil_setBalance', [refundWallet, numberToHex(parseEther('1'))])
        await sendFrom(operator, usdt, mintData(refundWallet, BigInt(totalUnits)))
      },
      'POST /api/admin/refunds/wallets/lost': async () => {
        const told = await desk.post('/refunds/wallets/lost', {
          wallet: operator,
          note: 'nobody holds its key',
        })
        expect([told.status, told.body.code]).toEqual([200, undefined])
      },
      'GET /api/admin/refunds/waivable': async () => {
        const { body } = await desk.get(`/refunds/waivable?wallet=${operator}`)
        for (const { token, debtors } of body) {
          const debts = debtors.map((debt: { debtor: Address; total: string }) => ({
            ...debt,
            total: BigInt(debt.total),
          }))
          await sendFrom(operator, register.address, encodeWaive(token, debts))
        }
        await desk.settle()
      },
      'POST /api/admin/raffle/execute-refund': async () => {
        await freeze()
        const { status, body } = await desk.execute()
        expect([status, body.code]).toEqual([200, undefined])
        rows = body.refundTransactions
      },
      'POST /api/admin/refunds/offer': async () => {
        const ids = rows.map(({ id }) => id)
        const request = { ids, wallet: refundWallet, nonce: await nonceOf(refundWallet), transactions: 2 }
        const { status, body } = await desk.post('/refunds/offer', { ...request, path: 'register' })
        offered = { status, rows: body.rows?.length ?? 0 }
        if (!body.register) return
        const { address, debtors, validUntil } = body.register
        const debts = debtors.map((debt: { total: string }) => ({
          ...debt,
          total: BigInt(debt.total),
        }))
        await sendFrom(refundWallet, usdt, encodeApprove(address, unitsOf(2_700)))
        await sendFrom(refundWallet, address, encodePayUpTo(usdt, debts, validUntil))
        await desk.settle()
      },
    }
    const act = does[command] ?? does[`${command} ${path}`]
    if (!act) throw new Error(`nobody knows how to do "${step}"`)
    await act()
  }
  return offered
}

const nonceOf = async (wallet: Address) =>
  Number(await desk.chain.rpc<string>('eth_getTransactionCount', [wallet, 'pending']))

/** By the logs of the token: everybody got what he paid, once, from the refund wallet and no other. */
async function expectAllPaid(): Promise<void> {
  for (const [at, cents] of owed.entries()) {
    const to = desk.chain.buyers[at] as Address
    expect(await transfersBetween(desk.chain.url, { to })).toEqual([
      { from: refundWallet, to, units: unitsOf(cents) },
    ])
  }
  const { summary, rows } = (await desk.get('/refunds')).body
  expect(rows.map(({ state }: { state: string }) => state)).toEqual(['settled', 'settled', 'settled'])
  expect(summary.done.totalUnits).toBe(`${unitsOf(2_700)}`)
  expect((await desk.execute()).body.refundTransactions).toEqual([])
}

test.each(['Wrong wallet', 'Wallet key lost or stolen'])(
  'the steps of the runbook, "%s", refund everybody once from another wallet',
  async (section) => {
    expect(await follow(stepsOf(section))).toEqual({ status: 200, rows: 3 })
    await expectAllPaid()
  },
)

test('a wallet whose key is held hands over to another one, in place of the word that it never pays', async () => {
  const [inPlaceOf] = /let it hand over .* \(`([^`]+)`\)/.exec(runbook)?.slice(1) ?? []
  const steps = stepsOf('Wrong wallet').filter((step) => !step.endsWith('/lost'))
  const at = steps.findIndex((step) => step.endsWith('/execute-refund')) + 1
  expect(await follow(steps.toSpliced(at, 0, `${inPlaceOf}`))).toEqual({ status: 200, rows: 3 })
  await expectAllPaid()
})

test('without the word that the old wallet will never pay, the new one is offered nothing', async () => {
  const steps = stepsOf('Wrong wallet').filter((step) => !step.endsWith('/lost'))
  expect(await follow(steps)).toEqual({ status: 200, rows: 0 })
  expect(await transfersBetween(desk.chain.url, { from: refundWallet })).toEqual([])
})

test('a wallet that is not registered before it pays is offered nothing', async () => {
  const steps = stepsOf('Wrong wallet').filter((step) => !step.includes('--signature'))
  expect(await follow(steps)).toEqual({ status: 422, rows: 0 })
  expect(await transfersBetween(desk.chain.url, { from: refundWallet })).toEqual([])
})
