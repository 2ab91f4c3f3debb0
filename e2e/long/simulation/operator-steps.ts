import { RaffleError } from '../../../core/errors.ts'
import { EnvError, parseEnv } from '../../../core/server/env.ts'
import { applyEnvironment } from '../../../db/event/environment.ts'
import { getOpenEvent } from '../../../db/event/events.ts'
import { resumeSales, stopSale } from '../../../db/event/sale.ts'
import { updateEvent } from '../../../db/event/update.ts'
import { heightOf } from '../../lab/chain-verbs.ts'
import { wallets } from './simulated-chain.ts'
import { baseEnv } from './stage.ts'
import type { Step } from './story.ts'
import type { World } from './world.ts'

type Of<N extends Step['do']> = Extract<Step, { do: N }>

/** The administrator saves the form: a date, a minimum, a wallet, or all of it for the next event. */
export async function save(world: World, { drawIn, minTickets, wallet }: Of<'save'>): Promise<void> {
  const terms = parseEnv(world.env)
  const drawDate = drawIn === undefined ? undefined : dateIn(world, drawIn)
  const patch = {
    ...{ drawDate, minTickets },
    operatorWallet: wallet === undefined ? undefined : wallets[wallet],
  }
  await unlessRefused(() => updateEvent(world.db, patch, { terms, pinnedWallet: terms.operatorWallet }))
  await noteEvent(world)
}

/** So many seconds after now, by the clock that is ahead. */
export const dateIn = ({ clock }: World, seconds: number): Date =>
  new Date((clock.chain + Math.max(0, clock.ahead) + seconds) * 1000)

/** Another environment and a new process; where the start stops, the operator takes the change back. */
export async function restart(world: World, { wallet, price, lead }: Of<'restart'>): Promise<void> {
  const env = {
    ...baseEnv,
    OPERATOR_WALLET: wallet === null ? '' : (wallets[wallet] as string),
    TICKET_PRICE_USDT: `${price / 100}`,
    SALE_LEAD_SECONDS: `${lead}`,
  }
  try {
    await applyEnvironment(world.db, parseEnv(env), wallets[0])
    world.env = env
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
  }
  world.deps = world.connect()
  await noteEvent(world)
}

export const resume = ({ db }: World): Promise<boolean> => unlessRefused(() => resumeSales(db))

/** Rarely, as it ends everything. */
export async function stop({ db }: World, { sure }: Of<'stop the sale'>): Promise<void> {
  if (sure === 0) await unlessRefused(() => stopSale(db))
}

/** Notes whether another event is open. */
export async function noteEvent(world: World): Promise<void> {
  const open = await getOpenEvent(world.db)
  if (!open) return
  if (open.number === world.eventNumber) return
  world.eventNumber = open.number
  // What an archived event was, was final for days in the real world.
  world.floor = await heightOf(world.url)
}

/** False if a rule refused it. */
export const unlessRefused = (act: () => Promise<unknown>): Promise<boolean> =>
  act().then(
    () => true,
    (error) => {
      if (!(error instanceof RaffleError)) throw error
      return false
    },
  )
