import { asc, eq, inArray, sql } from 'drizzle-orm'
import pino from 'pino'
import { Webhook } from 'standardwebhooks'
import { dueDeliveries, retryDelivery } from '../../../../db/notify/deliveries.ts'
import { deliveries, notifications } from '../../../../db/schema/index.ts'
import type { Deps } from '../../../../worker/deps.ts'
import { enqueueDeliveries } from '../../../../worker/notify/enqueue-deliveries.ts'
import { type SendDeps, sendNotification } from '../../../../worker/notify/send.ts'
import { addWebhook, channelBox, signingKey } from '../../../lab/channels.ts'
import { Killed, killedAt } from '../../../lab/killed.ts'
import { makeCertificate, startReceiver } from '../../../lab/receivers.ts'
import { setDatabaseClock } from '../database.ts'
import type { Broken } from '../invariants.ts'
import { firstSale } from '../simulated-chain.ts'
import type { Stage } from '../stage.ts'
import type { NotifyStory, Step } from './story.ts'

/** One certificate for all stories of a process. */
const tls = makeCertificate(['hook.example'])
const withinMs = 60
/** A retry waits for an hour at most. */
const hour = 3_600
const rounds = 12

type World = {
  stage: Stage
  receiver: Awaited<ReturnType<typeof startReceiver>>
  sending: SendDeps
  queue: Extract<Step, { kind: 'queue' }>['state']
  now: number
  /** What was committed, and what was not. */
  happened: number
  things: number
}

/** Plays a story; then the receiver and one worker are well, and all that happened has arrived, under one key each. */
export async function playNotify(stage: Stage, { steps }: NotifyStory): Promise<Broken[]> {
  await stage.reset()
  const receiver = await startReceiver(tls)
  await addWebhook(stage.db, `https://hook.example:${receiver.port}/`)
  const world: World = {
    ...{ stage, receiver, queue: 'works', now: firstSale, happened: 0, things: 0 },
    sending: {
      ...{ db: stage.db, log: pino({ level: 'silent' }), box: channelBox, siteUrl: undefined },
      reach: { isLocal: true, ca: tls.cert, resolve: async () => ['127.0.0.1'], withinMs },
    },
  }
  try {
    for (const step of steps) await act(world, step)
    await settle(world)
    return await brokenPromises(world)
  } finally {
    await receiver.close()
  }
}

async function act(world: World, step: Step): Promise<void> {
  switch (step.kind) {
    case 'happen':
      return happen(world, step)
    case 'work':
      await Promise.all(Array.from({ length: step.workers }, () => work(world, step.dieAt)))
      return
    case 'queue':
      world.queue = step.state
      return
    case 'receiver':
      return become(world, step.state)
    case 'pass':
      return pass(world, step.seconds)
    case 'retry':
      return retryAll(world)
  }
}

/** Each halt of the sale is one thing that is told. */
async function happen(world: World, { things, isUndone }: Extract<Step, { kind: 'happen' }>): Promise<void> {
  const told = world.stage.db.transaction(async (tx) => {
    for (let n = 0; n < things; n++) {
      world.things += 1
      await tx.execute(sql`update events set halted_at = to_timestamp(${world.things})`)
    }
    if (isUndone) throw new Killed()
  })
  await told.then(() => {
    world.happened += things
  }, unlessKilled)
}

/** As the worker's timer does, with the queue as it is now. */
async function work(world: World, dieAt: number | null): Promise<void> {
  const { sending } = world
  const { db } = dieAt === null ? sending : killedAt({ ...sending, chain: {} } as unknown as Deps, dieAt)
  const send = (id: number) => sendNotification({ ...sending, db }, { id })
  const enqueueMany = async (_: unknown, jobs: readonly { payload: { id: number } }[]) => {
    if (world.queue === 'works') for (const { payload } of jobs) await send(payload.id).catch(unlessKilled)
    return world.queue !== 'gone'
  }
  const jobs = { enqueueMany } as unknown as Parameters<typeof enqueueDeliveries>[0]['jobs']
  await enqueueDeliveries({ db, jobs }, (id) => send(id).catch(unlessKilled)).catch(unlessKilled)
}

function unlessKilled(error: unknown): void {
  if (!(error instanceof Killed)) throw error
}

function become({ receiver }: World, state: Extract<Step, { kind: 'receiver' }>['state']): void {
  receiver.answer = (_, response) => {
    if (state === 'error') response.writeHead(500).end()
    else if (state === 'redirects') response.writeHead(302, { location: '/elsewhere' }).end()
    else if (state === 'answers late') setTimeout(() => response.end(), 2 * withinMs)
    else if (state === 'up') response.end()
  }
}

async function pass(world: World, seconds: number): Promise<void> {
  world.now += seconds
  await setDatabaseClock(world.stage.db, world.now)
}

async function retryAll({ stage: { db } }: World): Promise<void> {
  const open = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(inArray(deliveries.state, ['waiting', 'given_up']))
  for (const { id } of open) await retryDelivery(db, id)
}

async function settle(world: World): Promise<void> {
  become(world, 'up')
  world.queue = 'gone'
  const { db } = world.stage
  const givenUp = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(eq(deliveries.state, 'given_up'))
  for (const { id } of givenUp) await retryDelivery(db, id)
  for (let round = 0; round < rounds; round++) {
    await pass(world, hour)
    // A machine that is busy may take longer than the deadline of a story.
    const patient = { ...world.sending, reach: { ...world.sending.reach, withinMs: 5_000 } }
    if ((await dueDeliveries(db, 1)).length === 0) return
    await work({ ...world, sending: patient }, null)
  }
}

/** All that was committed was told; nothing else was; and every copy of a message has its key and a right signature. */
async function brokenPromises({ stage: { db }, receiver, happened }: World): Promise<Broken[]> {
  const broken: Broken[] = []
  const told = await db.select().from(notifications).orderBy(asc(notifications.id))
  if (told.length !== happened)
    broken.push({ name: 'the outbox', saw: `${told.length} of ${happened} that happened` })
  const states = await db.select({ state: deliveries.state }).from(deliveries)
  if (states.length !== happened || states.some(({ state }) => state !== 'sent'))
    broken.push({ name: 'the deliveries', saw: states.map(({ state }) => state).join() })
  const keys = new Set(told.map(({ key }) => key))
  const received = new Map<string, string>()
  for (const { headers, body, path } of receiver.received) {
    const id = headers['webhook-id'] ?? ''
    if (path !== '/' || !keys.has(id)) broken.push({ name: 'the key', saw: `${path} ${id}` })
    if (received.has(id) && received.get(id) !== body) broken.push({ name: 'the copies', saw: body })
    received.set(id, body)
    try {
      // Their time is the machine's, which goes on.
      new Webhook(signingKey).verify(body, headers)
    } catch (error) {
      broken.push({ name: 'the signature', saw: String(error) })
    }
  }
  const lost = told.filter(({ key }) => !received.has(key))
  if (lost.length > 0) broken.push({ name: 'no message lost', saw: JSON.stringify(lost) })
  return broken
}
