import { Elysia } from 'elysia'
import { mayDo } from '../../core/admin/roles.ts'
import { RaffleError } from '../../core/errors.ts'
import type { ChannelKind, ChannelSettings } from '../../core/notify/kinds.ts'
import { channelRow, type SecretBox } from '../../core/server/secret-box.ts'
import { poll } from '../../core/server/time.ts'
import type { Db } from '../../db/index.ts'
import {
  addChannel,
  changeChannel,
  listChannels,
  lockChannel,
  removeChannel,
} from '../../db/notify/channels.ts'
import { addTest, countUnsent, getDelivery } from '../../db/notify/deliveries.ts'
import { dropDeliveries } from '../../db/notify/tidy.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import {
  type ChannelAnswer,
  channel,
  channelBody,
  channelInPath,
  channelList,
  delivery,
  expectSecret,
  invalid,
  newChannelBody,
  removed,
  settingsOf,
} from './schema.ts'

const mostChannels = 20
const testWithinMs = 8_000
const lookEveryMs = 150

/** By what administrators are told what happens. A secret is written and never read back. */
export const channelRoutes = (
  { jobs, clock }: Pick<Deps, 'jobs' | 'clock'>,
  guard: AdminGuard,
  box: SecretBox,
) =>
  new Elysia({ prefix: '/api/admin' })
    .get(
      '/channels',
      ...guard.read({ about: 'Channels of notifications', answer: channelList }, async ({ db, admin }) => {
        const [rows, unsent] = await Promise.all([listChannels(db), countUnsent(db)])
        const answers = rows.map((row) => told(row, unsent.get(row.id)))
        return mayDo(admin.role, 'channel.change') ? answers : answers.map(withHostAlone)
      }),
    )
    .post(
      '/channels',
      ...guard.action(
        'channel.add',
        { about: 'Adds a channel', body: newChannelBody, answer: channel, fresh: true },
        async ({ db, body: { kind, secret, webhook, telegram, email, ...rest }, record }) => {
          const settings = settingsOf(kind, { webhook, telegram, email })
          const plain = secretFor(kind, settings, secret)
          if ((await listChannels(db)).length >= mostChannels)
            throw invalid('kind', `채널은 ${mostChannels}개까지 만들 수 있습니다.`)
          const id = await addChannel(db, { kind, settings, ...rest }, (own) => sealed(box, own, plain))
          const row = await mustLock(db, id)
          record({ after: noted(row) })
          return told(row)
        },
      ),
    )
    .put(
      '/channels/:id',
      ...guard.action(
        'channel.change',
        {
          about: 'Changes a channel',
          more: 'Without a secret the one that it has stays, unless mail would go to another server with it.',
          body: channelBody,
          params: channelInPath,
          answer: channel,
          refusals: ['NOT_FOUND', 'VERSION_CONFLICT'],
          fresh: true,
        },
        async ({ db, params: { id }, body, record }) => {
          const { revision, secret, webhook, telegram, email, ...rest } = body
          const before = await mustLock(db, id)
          const { kind } = before
          if (revision !== before.revision)
            throw new RaffleError('VERSION_CONFLICT', '다른 관리자가 먼저 이 채널을 바꿨습니다.')
          const settings = settingsOf(kind, { webhook, telegram, email })
          const keeps = secret === undefined && keepsSecret(before, settings)
          const plain = keeps ? undefined : secretFor(kind, settings, secret)
          await changeChannel(db, id, {
            ...rest,
            settings,
            ...(!keeps && { secret: sealed(box, id, plain) }),
          })
          const after = await mustLock(db, id)
          record({ before: noted(before), after: { ...noted(after), secret: keeps ? 'kept' : 'set' } })
          return told(after, (await countUnsent(db)).get(id))
        },
      ),
    )
    .delete(
      '/channels/:id',
      ...guard.action(
        'channel.remove',
        {
          about: 'Removes a channel and its secret',
          more: 'What waits for it is not sent any more.',
          params: channelInPath,
          answer: removed,
          refusals: ['NOT_FOUND'],
          fresh: true,
        },
        async ({ db, params: { id }, record }) => {
          record({ before: noted(await mustLock(db, id)) })
          await removeChannel(db, id)
          await dropDeliveries(db, id)
          return { removed: true as const }
        },
      ),
    )
    .post(
      '/channels/:id/test',
      ...guard.action(
        'channel.test',
        {
          about: 'Sends a test message, once, and waits for what becomes of it',
          more: '`waiting`: no worker has sent it yet.',
          params: channelInPath,
          answer: delivery,
          refusals: ['NOT_FOUND'],
          atomic: false,
        },
        async ({ db, params: { id: channelId }, record }) => {
          const id = await db.transaction(async (tx) => {
            await mustLock(tx, channelId)
            return addTest(tx, channelId)
          })
          await jobs.enqueue('send-notification', { id }, { jobId: `send-notification-${id}-test` })
          const done = await poll(
            async () => {
              const row = await getDelivery(db, id)
              return row?.state === 'waiting' ? undefined : row
            },
            { withinMs: testWithinMs, everyMs: lookEveryMs },
            clock,
          )
          const row = done ?? (await getDelivery(db, id))
          if (!row) throw new RaffleError('NOT_FOUND', '해당 알림이 없습니다.')
          record({ after: { channelId, state: row.state, problem: row.problem } })
          return row
        },
      ),
    )

type Row = NonNullable<Awaited<ReturnType<typeof lockChannel>>>

async function mustLock(db: Db, id: number): Promise<Row> {
  const row = await lockChannel(db, id)
  if (!row) throw new RaffleError('NOT_FOUND', '해당 알림 채널이 없습니다.')
  return row
}

const needsSecret = (kind: ChannelKind, settings: ChannelSettings[ChannelKind]): boolean =>
  kind !== 'email' || (settings as ChannelSettings['email']).user !== null

/** The secret that such a channel has to have; undefined for mail without a login. */
function secretFor(
  kind: ChannelKind,
  settings: ChannelSettings[ChannelKind],
  secret: string | undefined,
): string | undefined {
  if (!needsSecret(kind, settings)) return undefined
  if (secret === undefined) throw invalid('secret', '값을 입력해주세요.')
  expectSecret(kind, secret)
  return secret
}

/** A password does not go to a server that it was not entered for. */
function keepsSecret({ kind, settings, hasSecret }: Row, next: ChannelSettings[ChannelKind]): boolean {
  if (!needsSecret(kind, next) || !hasSecret) return false
  if (kind !== 'email') return true
  const [before, after] = [settings, next] as ChannelSettings['email'][]
  return before?.host === after?.host && before?.port === after?.port && before?.user === after?.user
}

const sealed = (box: SecretBox, id: number, plain: string | undefined): Uint8Array | null =>
  plain === undefined ? null : box.seal(Buffer.from(plain), channelRow(id))

function told(row: Row, { waiting, givenUp } = { waiting: 0, givenUp: 0 }): ChannelAnswer {
  const { id, kind, name, language, events, enabled, settings, hasSecret, revision } = row
  return {
    ...{ id, kind, name, language, events, enabled, hasSecret, revision, waiting, givenUp },
    webhook: kind === 'webhook' ? (settings as ChannelSettings['webhook']) : null,
    telegram: kind === 'telegram' ? (settings as ChannelSettings['telegram']) : null,
    email: kind === 'email' ? (settings as ChannelSettings['email']) : null,
  }
}

/** The rest of a webhook's address may be what lets one in: only who sets it is told. */
const withHostAlone = ({ webhook, ...rest }: ChannelAnswer): ChannelAnswer => ({
  ...rest,
  webhook: webhook && { url: `${new URL(webhook.url).origin}/…` },
})

/** For the audit list: of a webhook the host alone, as the rest of its address may be what lets one in. */
function noted({ id, kind, name, language, events, enabled, settings }: Row) {
  const target =
    kind === 'webhook' ? { host: new URL((settings as ChannelSettings['webhook']).url).host } : settings
  return { id, kind, name, language, events, enabled, ...target }
}
