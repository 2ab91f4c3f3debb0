import { chmodSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { copyCheckout, endTrials, running, type Trial, tryStory } from '../lab/start-trial.ts'

const place = mkdtempSync(join(tmpdir(), 'blockdraw-story-'))
chmodSync(place, 0o755) // as root, Postgres runs as another user
const root = copyCheckout(join(place, 'blockdraw'))
const dataDir = join(place, 'data')
const trials: Trial[] = []
const story = (...options: string[]): Trial => {
  const trial = tryStory(root, ['--pace', '0', '--data', dataDir, ...options])
  trials.push(trial)
  return trial
}

// Whoever has settings for a real chain plays on his own machine all the same.
writeFileSync(
  join(root, '.env'),
  'RPC_URLS=https://one.invalid,https://two.invalid\nDATABASE_URL_FILE=/nowhere\nREDIS_URL=redis://127.0.0.1:1\nAUTO_DRAW=false\n',
)

afterAll(() => endTrials(trials, place))

test('a second story on the same data is refused in one sentence; Ctrl-C in the middle ends the first with all it runs', async () => {
  const first = story()
  await first.until('somebody pays 9 USDT all the same')
  const { code, output } = await story().end
  expect([code, output.trim()]).toEqual([
    1,
    `A story is being played in ${dataDir}: end that one with Ctrl-C first, or give this one a folder with --data.`,
  ])
  first.signalGroup('SIGINT')
  const ended = await first.end
  expect([ended.code, ended.output.includes('The story went wrong')]).toEqual([0, false])
  expect(running(place)).toEqual([])
}, 300_000)

test('the next story begins anew, with the pages of the one before; it is played to its end and all it tells has happened', async () => {
  const { code, output } = await story('--exit').end
  expect(output).toContain('The story before is thrown away: this one begins anew.')
  expect(output).not.toContain('The story went wrong')
  expect(code).toBe(0)
  const told = [
    'has ticket #1.',
    'tickets #2 to #34',
    'by hand',
    'too little for a ticket',
    'a Safe of three owners',
    'too late, no ticket',
    'is frozen: SHA-256 0x',
    'stands on the chain before the draw',
    'every open page shows the drum',
    ' wins. It follows from blocks and round alone',
    'for the delivery form',
    'the minimum was missed: refund mode',
    'sent both back what they paid',
    'And what bought no ticket',
  ]
  const places = told.map((text) => output.indexOf(text))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places.filter((at) => at < 0)).toEqual([])
  expect(output).toMatch(/First winner \d+ s after the start/)
  expect(readdirSync(join(dataDir, 'builds'))).toHaveLength(1)
  expect(running(place)).toEqual([])
}, 360_000)

test('a folder with other things in it is left alone, and an unknown option says how the story is started', async () => {
  // As `start` leaves it.
  const other = join(place, 'started')
  mkdirSync(other)
  for (const name of ['start.lock', 'postgres-password']) writeFileSync(join(other, name), '1')
  const refused = await story('--data', other).end
  expect([refused.code, refused.output.trim()]).toEqual([
    1,
    `${other} holds other things than a story: give it an empty folder with --data.`,
  ])
  expect(readdirSync(other).length).toBe(2)
  const asked = await story('--quickly').end
  expect([asked.code, asked.output.includes(' run story [--pace 1]')]).toEqual([1, true])
}, 60_000)
