import { eq } from 'drizzle-orm'
import pino from 'pino'
import type { Address, Hash, Hex } from 'viem'
import { register, usdtOnBsc } from '../../core/chain/register.ts'
import { encodeAnchor } from '../../core/draw/anchor.ts'
import type { Entropy } from '../../core/event/event.ts'
import { unitsOf } from '../../core/money.ts'
import { parseEnv } from '../../core/server/env.ts'
import { commitmentOfEvent } from '../../db/draw/anchors.ts'
import { openFirstEvent } from '../../db/event/environment.ts'
import { type Event, getOpenEvent } from '../../db/event/events.ts'
import { getBook } from '../../db/event/terms.ts'
import { events, operatorWallets } from '../../db/schema/index.ts'
import { operatorAccount, startChain } from '../../infra/local/chain.ts'
import { connectChain } from '../../worker/chain/index.ts'
import type { Deps } from '../../worker/deps.ts'
import { draw } from '../../worker/draw/draw.ts'
import { scan } from '../../worker/payment/scan.ts'
import { closeSale } from '../../worker/payment/second-reading.ts'
import { accountsOf, heightOf, mine as mineBlocks, sendMined, setNextTime } from './chain-verbs.ts'
import type { TestDb } from './database.ts'
import { asIfAlways, withOtherPast } from './other-past.ts'
import { patient, secondsFromNow } from './test-time.ts'
import { transferData, usdtGas } from './usdt.ts'
import { usedDb } from './used-database.ts'
import { watchWallet } from './watch-wallet.ts'

/** Moments of the story, in seconds after the sale start; all of them lie in the database's past. */
export const saleEndAt = 200
export const drawAt = 260

export type DrawWorld = Awaited<ReturnType<typeof openDrawWorld>>

type Options = {
  minTickets?: number
  autoDraw?: boolean
  entropy?: Entropy
  /** False: thousands of blocks take a moment, and none of more than 20 ago can be replaced. */
  history?: boolean
  /** So many seconds ago; an hour unless said. */
  began?: number
  /** Another one than a new and empty one, which is closed with the world. */
  database?: Pick<TestDb, 'db' | 'close'> & Partial<Pick<TestDb, 'dbOf'>>
}

/** Event 1 on a database and a chain of its own; only the test makes blocks. */
export async function openDrawWorld({
  minTickets = 10,
  autoDraw = true,
  entropy = 'blocks',
  history = true,
  began = 3_600,
  database,
}: Options = {}) {
  const genesisTime = secondsFromNow(-began)
  const [own, chain] = await Promise.all([
    database ?? usedDb(),
    startChain({ blockTime: null, genesisTime, history }),
  ])
  const { db } = own
  const { url } = chain
  const start = genesisTime + 100
  const operatorWallet = operatorAccount.toLowerCase() as Address
  await openFirstEvent(db, { ...parseEnv({ SALE_LEAD_SECONDS: '60' }), operatorWallet })
  await watchWallet(db, operatorWallet)
  const date = (second: number) => new Date((start + second) * 1000)
  const dates = {
    saleStart: date(0),
    saleEnd: date(saleEndAt),
    drawDate: date(drawAt),
  }
  await withOtherPast(db, async (tx) => {
    const terms = { ...dates, minTickets, autoDraw, entropy, operatorWallet }
    await tx.update(events).set(terms).where(eq(events.number, 1))
    await tx.update(operatorWallets).set({ since: date(-1) })
  })
  const deps: Deps = {
    db: own.dbOf?.('worker') ?? db,
    chain: connectChain([url], 56, patient),
    log: pino({ level: 'silent' }),
  }
  const accounts = await accountsOf(url)

  /** A block at this second of the story. */
  async function mineAt(second: number): Promise<void> {
    await setNextTime(url, start + second)
    await mineBlocks(url)
  }
  const mine = (blocks = 2): Promise<void> => mineBlocks(url, blocks, 1)
  /** To the token unless said otherwise, in a block of its own, which is there when this answers. */
  const send = (from: number, data: Hex, to: Address = usdtOnBsc): Promise<Hash> =>
    sendMined(url, { from: accounts[from] as Address, to, data, gas: usdtGas })
  async function sendAt(second: number, from: number, data: Hex): Promise<Hash> {
    await setNextTime(url, start + second)
    return send(from, data)
  }
  const pay = (buyer: number, cents: number, second: number): Promise<Hash> =>
    sendAt(second, buyer, transferData(operatorAccount, unitsOf(cents)))
  /** The button's transaction: the register tells that this account anchors event 1. */
  async function sendAnchor(
    commitment: Hex,
    { from = 0, at, eventNumber = 1 }: { from?: number; at: number; eventNumber?: number },
  ): Promise<Hash> {
    await setNextTime(url, start + at)
    return send(from, encodeAnchor(await book(), eventNumber, commitment), register.address)
  }
  const book = async (): Promise<Hex> => (await getBook(db)) as Hex
  /** What an anchor of the frozen event has to carry. */
  const commitment = async (): Promise<Hex> => commitmentOfEvent(await event()) as Hex
  const event = async (): Promise<Event> => (await getOpenEvent(db)) as Event
  const height = async (): Promise<bigint> => BigInt(await heightOf(url))

  /** The story's blocks lie before what was set for it. */
  async function scanned(change: Partial<Deps> = {}): Promise<void> {
    await asIfAlways(db)
    await scan({ ...deps, ...change })
  }

  /** Final blocks of now, folded: the chain is read without a lag. */
  async function catchUp(): Promise<void> {
    await mineAt(secondsFromNow(-10) - start)
    await mine(3)
    await scanned()
  }

  const drawOnce = (change: Partial<Deps> = {}) => draw({ ...deps, ...change }, { eventNumber: 1 })
  /** Three buyers with 33, 1 and `last` tickets. */
  async function sell(last = 5): Promise<void> {
    await pay(1, 99_00, 10)
    await pay(2, 3_50, 20)
    await pay(3, last * 3_00, 30)
  }
  /** Final blocks past the sale end, folded, and the ledger frozen. */
  async function endSale(change: Partial<Deps> = {}): Promise<Event> {
    await mineAt(saleEndAt - 1)
    await mineAt(saleEndAt)
    await mine(3)
    await scanned(change)
    await closeSale({ ...deps, ...change })
    return event()
  }
  /** Blocks around the draw date; D is the one at `drawAt`. `final`: so many after it. */
  async function reachDraw(final = 3): Promise<bigint> {
    for (const second of [-5, -4, -2, -1]) await mineAt(drawAt + second)
    await mineAt(drawAt)
    const drawBlock = await height()
    if (final > 0) await mine(final)
    await scanned()
    return drawBlock
  }
  /** The whole sale, up to the draw. */
  async function toDraw(): Promise<bigint> {
    await sell()
    await endSale()
    return reachDraw()
  }

  return {
    ...{ db, url, deps, accounts, start },
    ...{ mineAt, mine, pay, send, sendAt, sendAnchor, commitment, event, height },
    ...{ sell, endSale, reachDraw, toDraw, catchUp },
    /** One run of the draw job. */
    draw: drawOnce,
    /** The whole sale and its draw. */
    drawn: async () => {
      await toDraw()
      await drawOnce()
    },
    scan: scanned,
    close: async () => {
      await chain.stop()
      await own.close()
    },
  }
}
