import { sql } from 'drizzle-orm'
import { channelKinds, noticeKinds } from '../../../core/notify/kinds.ts'
import type { Db } from '../../../db/index.ts'
import { addChannel } from '../../../db/notify/channels.ts'
import { channels, deliveries, notifications } from '../../../db/schema/index.ts'
import { panel } from '../../lab/admin-verbs.ts'
import type { Visit } from './admin-looks.ts'

/** Channels of each kind, and messages in each state that one can be in. */
export async function tellThings(db: Db): Promise<void> {
  const events = [...noticeKinds]
  const seal = () => Buffer.alloc(60, 1)
  const webhook = {
    url: 'https://hooks.partner-company.example/raffle/notifications/incoming?team=operations',
  }
  await addChannel(
    db,
    { kind: 'webhook', name: '운영팀', language: 'ko', settings: webhook, events, enabled: false },
    seal,
  )
  await addChannel(
    db,
    {
      kind: 'telegram',
      name: 'On call',
      language: 'en',
      settings: { chatId: '-1001234567890' },
      events: ['halted', 'cover_short', 'backup_failed'],
      enabled: false,
    },
    seal,
  )
  const mailbox = {
    host: 'smtp.mail-provider.example',
    port: 465,
    security: 'tls' as const,
    user: 'raffle@raffle.example',
  }
  const settings = {
    ...mailbox,
    from: 'raffle@raffle.example',
    to: ['owner@raffle.example', 'second@raffle.example'],
  }
  await addChannel(
    db,
    { kind: 'email', name: '대표 메일함', language: 'ko', settings, events: ['drawn'], enabled: false },
    seal,
  )
  const states = [
    ['sent', null],
    ['waiting', 'timeout'],
    ['given_up', 'private_address'],
    ['dropped', null],
    ['waiting', null],
    ['sent', null],
  ] as const
  // The channels are off meanwhile, so that nothing is sent to places that do not exist.
  for (const [at, kind] of noticeKinds.entries()) {
    const [state, problem] = states[at % states.length] as (typeof states)[number]
    const eventNumber = ['word_wanted', 'new_address', 'backup_failed'].includes(kind) ? null : 1
    const [{ id } = { id: 0 }] = await db
      .insert(notifications)
      .values({ kind, subject: 'picture', eventNumber, facts: {} })
      .returning({ id: notifications.id })
    await db.insert(deliveries).values({
      ...{ notificationId: id, channelId: 1 + (at % 3), state, problem },
      ...{ attempts: problem ? 9 : 1, sentAt: state === 'sent' ? new Date() : null },
      nextTryAt: new Date(Date.now() + 2_600_000),
    })
  }
  await db.update(channels).set({ enabled: sql`id <> 2` })
}

/** The part of the settings that is about them, and the dialog of each kind of channel. */
export async function notifySteps({ page, shot, open }: Visit): Promise<void> {
  await open('security')
  await panel(page).getByRole('table', { name: '알림 전달 기록' }).locator('tbody tr').first().waitFor()
  await shot('notify')
  await panel(page).getByRole('button', { name: '채널 추가' }).click()
  const dialog = page.getByRole('dialog')
  for (const kind of channelKinds) {
    await dialog.getByRole('combobox').first().selectOption(kind)
    await shot(`notify-dialog-${kind}`, false)
  }
}
