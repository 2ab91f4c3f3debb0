import { parseEnv } from '../../../core/server/env.ts'
import { getDraft, saveDraft } from '../../../db/event/draft.ts'
import { getOpenEvent } from '../../../db/event/events.ts'
import { updateEvent } from '../../../db/event/update.ts'
import { unlessRefused } from './operator-steps.ts'
import type { Step } from './story.ts'
import type { World } from './world.ts'

/**
 * The operator sets the caps of the open event, as long as it has no ticket, or of the next one, and lowers its minimum where
 * nobody could reach it.
 */
export async function cap(world: World, { isNext, ...caps }: Extract<Step, { do: 'cap' }>): Promise<void> {
  const { maxTickets, maxPerWallet } = caps
  const terms = parseEnv(world.env)
  const within = (minTickets: number) => Math.min(minTickets, maxTickets ?? minTickets)
  if (isNext) {
    const next = {
      ...world.draft,
      maxTickets,
      maxPerWallet,
      minTickets: within(world.draft.minTickets ?? 40),
    }
    const { revision } = await getDraft(world.db)
    if (await unlessRefused(() => saveDraft(world.db, next, { terms, revision }))) world.draft = next
    return
  }
  const open = await getOpenEvent(world.db)
  const patch = { maxTickets, maxPerWallet, minTickets: open && within(open.minTickets) }
  await unlessRefused(() => updateEvent(world.db, patch, { terms, pinnedWallet: terms.operatorWallet }))
}
