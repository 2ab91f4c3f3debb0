import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { languages } from '../../core/admin/language.ts'
import { type DetailsOf, RaffleError } from '../../core/errors.ts'
import { jobId } from '../../core/jobs.ts'
import type { ChannelSettings } from '../../core/notify/kinds.ts'
import { mailSecurities } from '../../core/notify/kinds.ts'
import { isHostName } from '../../core/prize/claim.ts'
import { channelRow, type SecretBox } from '../../core/server/secrets.ts'
import { poll } from '../../core/server/time.ts'
import { addChannel, addTest, listChannels, outcomeOf, removeChannel } from '../../db/notify/tell.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import type { Decoded } from '../http/schema.ts'
import { exact, invalid, nullable, type Refusal, read, refusal, refuse } from '../http/schema.ts'
import { choice, httpsUrl, idInPath, text, whole, words } from '../http/values.ts'

const mailPorts = [25, 465, 587, 2525]
const mostRecipients = 10

const trimmed = (max: number, isRight: (value: string) => boolean, kind: Refusal) =>
  read(text({ max, kind }), (value) => (isRight(value.trim()) ? value.trim() : refuse()))

const mailAddress = trimmed(
  254,
  (value) => /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\.]+$/.test(value),
  refusal('INVALID_VALUE', { reason: 'email' }),
)
const email = exact({
  host: trimmed(
    253,
    (value) => isHostName(value) || /^\d+\.\d+\.\d+\.\d+$/.test(value) || value === 'localhost',
    refusal('INVALID_VALUE', { reason: 'mailServer' }),
  ),
  port: read(whole(1, 65_535, portRule()), (value) => (mailPorts.includes(value) ? value : refuse())),
  security: choice(mailSecurities),
  user: t.Optional(nullable(text({ max: 254 }))),
  password: t.Optional(text({ max: 512, kind: invalid })),
  from: mailAddress,
  to: t.Array(mailAddress, {
    minItems: 1,
    maxItems: mostRecipients,
    ...refusal('INVALID_VALUE', { reason: 'recipients', values: { most: mostRecipients } }),
  }),
})
function portRule(): Refusal {
  return refusal('INVALID_VALUE', { reason: 'options', values: { options: mailPorts.join(', ') } })
}

/** As the Standard Webhooks scheme writes it: 24 to 64 bytes. */
const signingKey = trimmed(
  100,
  (value) => {
    const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? []
    const bytes = Buffer.from(base64, 'base64')
    return bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64
  },
  refusal('INVALID_VALUE', { reason: 'signingKey' }),
)

/** One of `webhook` and `email`: it is the kind. */
const channelBody = exact({
  name: words(60),
  language: choice(languages),
  webhook: t.Optional(exact({ url: httpsUrl(), signingKey: t.Optional(signingKey) })),
  email: t.Optional(email),
})

const channelInPath = idInPath('channel')

const mostChannels = 20

/** By what administrators are told what happens. A secret is written and never read back; a channel is never changed. */
export const channelRoutes = ({ jobs, clock }: Deps, guard: AdminGuard, box: SecretBox) =>
  new Elysia({ prefix: '/api/admin' })
    .get(
      ...guard.read('/channels', {
        about: 'Channels of notices',
        run: async ({ db }) => (await listChannels(db)).map(told),
      }),
    )
    .post(
      ...guard.action('/channels', {
        action: 'channel.add',
        about: 'Adds a channel',
        body: channelBody,
        run: async ({ db, body, record }) => {
          const { secret, ...row } = splitSecret(body)
          if ((await listChannels(db)).length >= mostChannels)
            throw refused({ reason: 'channels', values: { most: mostChannels }, field: 'name' })
          const id = await addChannel(db, row, (own) =>
            box.seal(Buffer.from(JSON.stringify(secret)), channelRow(own)),
          )
          const added = told({ id, ...row, waiting: 0, problem: null })
          record({ after: { id, kind: row.kind, name: row.name, target: added.target } })
          return added
        },
      }),
    )
    .delete(
      ...guard.action('/channels/:id', {
        action: 'channel.remove',
        about: 'Removes a channel; that it goes is the last that it is told',
        params: channelInPath,
        run: async ({ db, params: { id }, record }) => {
          const name = await removeChannel(db, id)
          if (name === undefined) throw noChannel()
          record({ before: { id, name } })
          return { removed: true as const }
        },
      }),
    )
    .post(
      ...guard.action('/channels/:id/test', {
        action: 'channel.test',
        about: 'Sends a test message, once, and waits for what becomes of it',
        more: '`waiting`: no worker has sent it yet.',
        params: channelInPath,
        fresh: false, // It says nothing but that it is a test.
        atomic: false,
        run: async ({ db, params: { id: channelId }, record }) => {
          if (!(await listChannels(db)).some(({ id }) => id === channelId)) throw noChannel()
          const id = await db.transaction((tx) => addTest(tx, channelId))
          await jobs.enqueue('send-notification', { id }, { jobId: jobId.sendNotification(id) })
          const seen = await poll(
            async () => {
              const row = await outcomeOf(db, id)
              return row?.state === 'waiting' ? undefined : row
            },
            { withinMs: 8_000, everyMs: 150 },
            clock,
          )
          const outcome = seen ?? { state: 'waiting' as const, problem: null }
          record({ after: { id: channelId, ...outcome } })
          return outcome
        },
      }),
    )

const noChannel = () => new RaffleError('NOT_FOUND', { reason: 'channel' })
const refused = (why: DetailsOf<'INVALID_VALUE'>) => new RaffleError('INVALID_VALUE', why)

/** What is shown of a channel, and what lies encrypted. */
function splitSecret({ webhook, email, ...common }: Decoded<typeof channelBody>) {
  if (webhook && !email) {
    const settings = { host: new URL(webhook.url).host }
    return { ...common, kind: 'webhook' as const, settings, secret: webhook }
  }
  if (!email || webhook) throw refused({ reason: 'channelKind', field: 'email' })
  const { password, user = null, ...rest } = email
  if ((user === null) !== (password === undefined))
    throw refused({ reason: 'userAndPassword', field: 'email' })
  return { ...common, kind: 'email' as const, settings: { ...rest, user }, secret: { password } }
}

function told({ settings, ...row }: Awaited<ReturnType<typeof listChannels>>[number]) {
  const { host, port, to } = settings as ChannelSettings['email']
  return { ...row, target: row.kind === 'email' ? `${to.join(', ')} (${host}:${port})` : host }
}
