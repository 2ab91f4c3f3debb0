import { RaffleError } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs.ts'
import { dueWouldHaveWon, recordWouldHaveWon } from '../../db/draw/would-have-won.ts'
import type { Deps } from '../deps.ts'
import { readInputs } from './inputs.ts'

/**
 * Notes whom the rule names in an event that was not drawn: the same rule, agreed blocks and beacon as a draw's.
 * Nothing is drawn by it. Safe to run at any time, twice and by many workers: the row exists once.
 */
export async function noteWouldHaveWon(deps: Deps, { eventNumber }: Jobs['would-have-won']): Promise<void> {
  const { db, chain, log } = deps
  const event = (await dueWouldHaveWon(db)).find(({ number }) => number === eventNumber)
  if (!event?.drawDate) return
  const time = event.drawDate.getTime() / 1000
  const head = await chain.finalized()
  if (head.timestamp < time) return
  try {
    const inputs = await readInputs(deps, event, head)
    if (await recordWouldHaveWon(db, eventNumber, inputs)) log.info({ eventNumber }, 'undrawn ticket noted')
  } catch (error) {
    if (!(error instanceof RaffleError)) throw error
    if (error.code === 'BEACON_PENDING') return
    if (error.code !== 'HISTORY_MISSING') throw error
    // Nobody's money depends on it, so it is no alarm.
    log.warn({ eventNumber, err: error }, 'the blocks of an undrawn event are gone')
  }
}
