import { parseArgs } from 'node:util'
import type { Address } from 'viem'
import { dueRefund } from '../../core/draw/rules.ts'
import { parseTerms } from '../../core/event/terms.ts'
import { factsOf } from '../../db/draw/facts.ts'
import {
  type Event,
  lockOpenEvent,
  mustHaveEvent,
  mustLockEvent,
  newestMoment,
} from '../../db/event/events.ts'
import { isOver, openNext } from '../../db/event/next.ts'
import { beginRefundMode, endSaleNow } from '../../db/event/sale.ts'
import { openHouse } from '../../db/event/shut.ts'
import { setTerms } from '../../db/event/terms.ts'
import type { Db } from '../../db/index.ts'
import { isReadTwiceToEnd } from '../../db/payment/second-reading.ts'
import {
  adoptTerms,
  type ChainAnchor,
  type Compared,
  compareWithChain,
  whyNotOurs,
} from '../../db/report/restored.ts'

/** What a command answers to its user instead of doing it, and the exit code that it ends with. */
export class CliRefusal extends Error {
  override name = 'CliRefusal'
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message)
  }
}

type Note = (tx: Db, after: unknown) => Promise<void>
type Answers = NonNullable<ReturnType<typeof answersOf>>

/** Undefined for words that say anything else. Endings that follow from facts are not typed: they come again by themselves. */
export function answersOf(words: readonly string[]) {
  try {
    const many = { type: 'string', multiple: true } as const
    const options = { terms: many, wallet: many, ending: many, confirm: { type: 'boolean' } } as const
    const {
      terms = [],
      wallet = [],
      ending = [],
      confirm = false,
    } = parseArgs({ args: [...words], options }).values
    return {
      terms: terms.map((line) => (line.endsWith('\n') ? line : `${line}\n`)),
      wallets: pairs<Address | 'none'>(wallet, /^(none|0x[0-9a-f]{40})$/),
      endings: pairs<'none' | 'drawn' | 'stopped' | 'ledger'>(
        ending,
        /^(none|drawn|refunds:(stopped|ledger))$/,
      ),
      isConfirmed: confirm,
    }
  } catch {
    return undefined
  }
}

/** `EVENT=VALUE`, in lower case. */
function pairs<T extends string>(words: readonly string[], form: RegExp): Map<number, T> {
  return new Map(
    words.map((word) => {
      const [, number, value = ''] = /^([1-9]\d*)=(.+)$/.exec(word.toLowerCase()) ?? []
      if (!form.test(value)) throw new Error(word)
      return [Number(number), value.replace('refunds:', '') as T]
    }),
  )
}

/** Opens the house once nothing is open between this database and the chain, or with `--confirm`. Terms are
 * taken from anybody: the chain says whether they were ours. */
export async function afterRestore(db: Db, words: readonly string[], note: Note): Promise<{ text: string }> {
  const answers = answersOf(words) as Answers
  const named = [...answers.wallets.values()].filter((wallet) => wallet !== 'none')
  const told: string[] = []
  if (!(await compareWithChain(db, named))) return { text: 'Nothing to do: the house is open.' }
  for (const line of answers.terms) told.push(await takeTerms(db, line, named, note))
  const compared = (await compareWithChain(db, named)) as Compared
  const event = await mustHaveEvent(db)
  await expectNoChoice(db, event, compared, answers)
  // Nothing is frozen while the house is shut; what was read twice would be.
  const facts = { ...(await factsOf(db, event)), isFrozen: isReadTwiceToEnd(event) }
  const open = openQuestions(event, compared, answers, dueRefund(facts) !== undefined)
  told.push(...summary(compared))
  if (open.length > 0 && !answers.isConfirmed)
    throw new CliRefusal(
      [...told, 'The house stays shut. Still open:', ...open.map((one) => `- ${one}`), howToConfirm].join(
        '\n',
      ),
      2,
    )
  await db.transaction(async (tx) => {
    await openAs(tx, answers)
    const { isConfirmed } = answers
    const [wallets, endings] = [answers.wallets, answers.endings].map((said) => Object.fromEntries(said))
    await note(tx, { shutSince: compared.shutSince, wallets, endings, isConfirmed, open })
  })
  return { text: [...told, 'The house is open.'].join('\n') }
}

const howToConfirm = 'Answer them, or type --confirm to open all the same.'

async function takeTerms(db: Db, line: string, named: readonly Address[], note: Note): Promise<string> {
  const terms = parseTerms(line)
  if (!terms) throw new CliRefusal(`This is no terms line: ${line.slice(0, 60)}`)
  const eventNumber = Number(terms.eventNumber)
  return db.transaction(async (tx) => {
    const event = await openedFor(tx, eventNumber)
    if (event.frozenAt) throw new CliRefusal(`The terms of event ${eventNumber} are frozen.`)
    const why = await whyNotOurs(tx, event, { line, terms }, named)
    if (why) throw new CliRefusal(why)
    if (!(await adoptTerms(tx, event, line, terms)))
      throw new CliRefusal(
        `Event ${eventNumber} on record cannot promise this: its content (${terms.contentSha256}) or an earlier wallet is missing.`,
      )
    await note(tx, { eventNumber, terms: line })
    return `The terms of event ${eventNumber} are taken and locked; what they judge is read again.`
  })
}

/** The event that is open, or the next one, which was opened after the backup, where this one is over. */
async function openedFor(tx: Db, eventNumber: number): Promise<Event> {
  const event = await mustLockEvent(tx)
  if (event.number === eventNumber) return event
  if (event.number + 1 !== eventNumber || !(await isOver(tx, event)))
    throw new CliRefusal(
      `These terms are of event ${eventNumber}, and event ${event.number} is the one that is open.`,
    )
  // What it promises is that of the line.
  return openNext(tx, event, {
    ...event,
    operatorWallet: event.operatorWallet ?? undefined,
    usdtAddress: event.token,
  })
}

/** From the draw date on its winner may be known: then the chain alone says that an event ended in refunds before. */
async function expectNoChoice(
  db: Db,
  { number, drawDate }: Event,
  { surplus }: Compared,
  { endings }: Answers,
): Promise<void> {
  const ending = endings.get(number)
  if (!ending || ending === 'none' || ending === 'drawn' || surplus > 0) return
  if (drawDate && drawDate <= (await newestMoment(db)))
    throw new CliRefusal(
      `The draw date of event ${number} has come, and no payer of it has got money back: it is drawn, or refunded where it sold too few tickets. --ending ${number}=none`,
    )
}

function summary({ shutSince, isOtherBook, readTo, anchors, paid, strangers }: Compared): string[] {
  const why = isOtherBook ? 'The register knows the operator wallet under another book. Shut' : 'Restored'
  const read = `${why} at ${shutSince.toISOString()}. The register is read up to ${readTo?.toISOString() ?? 'nothing'}: ${anchors} anchors and ${paid} payments by it are on record.`
  if (strangers.length === 0) return [read]
  const from = [...new Set(strangers.map(({ wallet }) => wallet))].slice(0, 20).join(' ')
  return [read, `${strangers.length} anchors are left out, by wallets that are not ours: ${from}`]
}

/** `isOwed`: refunds follow from the facts on record, and begin again by themselves. */
function openQuestions(
  event: Event,
  compared: Compared,
  { wallets, endings }: Answers,
  isOwed: boolean,
): string[] {
  const { number, operatorWallet } = event
  const open = compared.unknown.map(unyielded)
  if (compared.isOtherBook)
    open.push(
      'One wallet serves one house at a time: end the other one, or give this event another wallet, then type --confirm.',
    )
  if (!compared.isRead)
    open.unshift('The worker has not read the chain up to now. Let it catch up, and ask again.')
  if (!event.refundModeAt && !endings.has(number))
    open.push(
      `Was event ${number} ended after the backup? --ending ${number}=none, ${number}=drawn (it is drawn again by itself, with the same winner), ${number}=refunds:stopped or ${number}=refunds:ledger`,
    )
  if (!event.frozenAt && !wallets.has(number))
    open.push(
      `Which wallet did event ${number} sell to last? --wallet ${number}=${operatorWallet ?? 'none'}, as this database has it, or another`,
    )
  const isExplained =
    (isOwed && endings.get(number) !== 'drawn') ||
    [...endings.values()].some((one) => one !== 'none' && one !== 'drawn')
  if (compared.surplus > 0 && !isExplained)
    open.push(
      `${compared.surplus} payers have received more than they are owed here: refunds began after the backup. Which? --ending`,
    )
  return open
}

const unyielded = ({ eventNumber, wallet, commitment, blockNumber, blockTime }: ChainAnchor): string =>
  `Event ${eventNumber}: ${commitment}, anchored by ${wallet} in block ${blockNumber} at ${blockTime.toISOString()}, follows from no terms on record. A buyer's browser, a proof or a log has its line: --terms LINE`

/** What the operator says, once nothing is shut any more. */
async function openAs(tx: Db, { wallets, endings }: Answers): Promise<void> {
  const event = await lockOpenEvent(tx)
  await openHouse(tx)
  if (!event) return
  const wallet = wallets.get(event.number) ?? 'none'
  const isOther = wallet !== 'none' && wallet !== event.operatorWallet
  if (isOther && event.lockedAt)
    throw new CliRefusal(
      `Event ${event.number} is locked with ${event.operatorWallet}: only a terms line names another wallet.`,
    )
  const changed = isOther ? await setTerms(tx, event, { operatorWallet: wallet }) : event
  const ending = endings.get(event.number)
  if (!ending || ending === 'none' || ending === 'drawn') return
  if (ending === 'stopped' && !changed.hasEnded) await endSaleNow(tx, changed)
  await beginRefundMode(tx, changed, ending)
}
