import { parseTerms, type TermsField } from '../../../core/event/terms.ts'
import { parseEnv } from '../../../core/server/env.ts'
import { saveDraft } from '../../../db/event/draft.ts'
import { type Event, getEvent, getOpenEvent } from '../../../db/event/events.ts'
import { type DraftedTerms, emptyDraft, getDraft } from '../../../db/event/next.ts'
import { termsOf } from '../../../db/event/terms.ts'
import { openNextEvent } from '../../../db/event/update.ts'
import type { Broken } from './invariants.ts'
import { dateIn, noteEvent, save, unlessRefused } from './operator-steps.ts'
import type { Step } from './story.ts'
import { scanOnce, sweepOnce } from './work-steps.ts'
import type { World } from './world.ts'

type Of<N extends Step['do']> = Extract<Step, { do: N }>

/** The operator saves what the next event will promise, perhaps with an old form. */
export async function draft(world: World, step: Of<'draft'>): Promise<void> {
  const { drawIn, minTickets, autoDraw, claimDays, isOld } = step
  const drawDate = drawIn === null ? null : dateIn(world, drawIn)
  const next: DraftedTerms = { ...emptyDraft, ...{ drawDate, minTickets, autoDraw, claimDays } }
  const { revision } = await getDraft(world.db)
  const seen = { terms: parseEnv(world.env), revision: isOld ? revision - 1 : revision }
  const isSaved = await unlessRefused(() => saveDraft(world.db, next, seen))
  if (isSaved && !isOld) world.draft = next
}

/** The event runs on until it is drawn, or whatever else becomes of it, with a date if it had none. */
export async function comeToDraw(world: World, { drawIn }: Of<'come to the draw'>): Promise<void> {
  const open = await getOpenEvent(world.db)
  if (!open?.drawDate && !open?.stoppedAt) await saveDate(world, drawIn)
  const date = (await getOpenEvent(world.db))?.drawDate
  if (!date) return
  await world.pass(Math.max(0, date.getTime() / 1000 - world.clock.chain) + 1)
  for (let round = 0; round < 3; round++) {
    for (let block = 0; block < 3; block++) await world.mineBlock()
    await scanOnce(world)
    await sweepOnce(world, { runs: [], dieAt: null })
  }
  await world.pass(11)
}

const saveDate = (world: World, drawIn: number): Promise<void> =>
  save(world, { do: 'save', drawIn, minTickets: undefined, wallet: undefined })

/** As soon as the event before is over: with a date that the operator says now, or the draft's. */
export async function openNext(world: World, { drawIn }: Of<'open the next event'>): Promise<void> {
  if (drawIn !== null) return saveDate(world, drawIn)
  const terms = parseEnv(world.env)
  const { revision: draftRevision } = await getDraft(world.db)
  const rules = { terms, pinnedWallet: terms.operatorWallet, draftRevision }
  await unlessRefused(() => openNextEvent(world.db, rules))
  await noteEvent(world)
}

/** An event opens with the terms of the draft or of the call that opens it, and what the draft chose stays, whatever starts. */
export async function brokenDraft(world: World, step: Step): Promise<Broken[]> {
  const { db, promised } = world
  const event = await getOpenEvent(db)
  if (!event) return []
  if (event.number !== promised.event) {
    const { autoDraw, claimDays } = world.draft
    const broken = await compare(world, event, await whenOpened(world, step, event))
    world.promised = { event: event.number, autoDraw, claimDays }
    world.draft = emptyDraft
    return [...broken, ...(await brokenSaved(world))]
  }
  const kept = Object.entries({ autoDraw: promised.autoDraw, claimDays: promised.claimDays })
  const chosen = kept.filter(([, value]) => value !== null)
  return [
    ...(await compare(world, event, Object.fromEntries(chosen.map(([name, value]) => [name, `${value}`])))),
    ...(await brokenSaved(world)),
  ]
}

type Line = Partial<Record<TermsField, string>>

async function whenOpened(world: World, step: Step, event: Event): Promise<Line> {
  const env = parseEnv(world.env)
  const before = await getEvent(world.db, event.number - 1)
  const said = 'drawIn' in step && step.do !== 'draft' ? step.drawIn : null
  const drawDate = typeof said === 'number' ? dateIn(world, said) : world.draft.drawDate
  const minTickets = step.do === 'save' ? step.minTickets : undefined
  const drawAt = (drawDate?.getTime() ?? 0) / 1000
  return {
    ...{ eventNumber: `${(before?.number ?? 0) + 1}`, ticketPrice: `${env.ticketPrice}` },
    ...{ drawDate: `${drawAt}`, saleEnd: `${drawAt - env.saleLeadSeconds}` },
    minTickets: `${minTickets ?? world.draft.minTickets ?? before?.minTickets}`,
    autoDraw: `${world.draft.autoDraw ?? env.autoDraw}`,
    claimDays: `${world.draft.claimDays ?? env.claimDays}`,
  }
}

async function compare({ db }: World, event: Event, expected: Line): Promise<Broken[]> {
  const line = await termsOf(db, event)
  const terms = parseTerms(line)
  const wrong = Object.entries(expected).filter(([name, value]) => terms?.[name as TermsField] !== value)
  const saw = JSON.stringify({ event: event.number, wrong, line })
  return wrong.length > 0 ? [{ name: 'terms of the draft', saw }] : []
}

async function brokenSaved(world: World): Promise<Broken[]> {
  const { savedAt, revision, content, contentRevision, ...saved } = await getDraft(world.db)
  const told = JSON.stringify(Object.entries(saved).sort())
  const expected = JSON.stringify(Object.entries(world.draft).sort())
  return told === expected ? [] : [{ name: 'the draft as it was saved', saw: `${told} for ${expected}` }]
}
