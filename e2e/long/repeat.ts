import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `bun run test:repeat TIMES [FILE ...] [--busy] [--project NAME ...] [--go-on] [--log FILE]`: runs the whole suite, or these
 * projects or test files, so many times in a row in this checkout, with `--busy` beside a program that keeps one core busy.
 * Each run is one line of the log: when, on which commit, whether the checkout was as committed, what came out, how long it
 * took. Stops at the first run that fails, unless it is to go on; exit 1 if any did. The output of a run that fails is
 * kept beside the log.
 */
const usage =
  'bun run test:repeat TIMES [FILE ...] [--busy] [--project NAME ...] [--go-on] [--log FILE]: TIMES is a whole number from 1 on.'
const root = join(import.meta.dirname, '../..')
const { times, files, busy, project, goOn, log } = readWords()
const what = [...project, ...files].join(' ') || 'test'

type Counts = { passed: number; failed: number; skipped: number }

let running: ReturnType<typeof Bun.spawn> | undefined
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isInterrupted = true
    running?.kill(signal)
  })

mkdirSync(dirname(log), { recursive: true })
let failures = 0
let runs = 0
while (runs < times && (failures === 0 || goOn) && !isInterrupted) {
  runs += 1
  if (!(await runOnce())) failures += 1
}
if (isInterrupted) process.exit(130)
console.log(`${runs} of ${times} runs, ${failures} failed: ${log}`)
process.exit(failures > 0 ? 1 : 0)

/** False for a run that failed, also one that ended without a count. */
async function runOnce(): Promise<boolean> {
  const at = new Date().toISOString()
  const facts = [git('rev-parse', '--short', 'HEAD'), git('status', '--porcelain') ? 'changed' : 'clean']
  const began = performance.now()
  const neighbour = busy ? keepBusy() : undefined
  const { output, code } = await runTests().finally(() => neighbour?.kill())
  if (isInterrupted) return true
  const seconds = Math.round((performance.now() - began) / 1000)
  const counts = countsIn(output)
  const told = counts
    ? `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
    : 'no count'
  const line = `${at}  ${facts.join(' ')}  ${busy ? 'busy' : 'quiet'}  ${what}  ${told}, exit ${code}  ${seconds} s`
  appendFileSync(log, `${line}\n`)
  console.log(line)
  if (code === 0 && counts?.failed === 0) return true
  for (const title of failedIn(output)) console.log(`  ${title}`)
  const kept = `${log.replace(/\.log$/, '')}-${at.replaceAll(/[:.]/g, '-')}.txt`
  writeFileSync(kept, output)
  console.log(`  ${kept}`)
  return false
}

async function runTests(): Promise<{ output: string; code: number }> {
  const named = project.flatMap((name) => ['--project', name])
  const args = what === 'test' ? ['run', 'test'] : ['--bun', 'vitest', 'run', ...named, ...files]
  const started = Bun.spawn([process.execPath, ...args], {
    ...{ cwd: root, env: { ...process.env, NO_COLOR: '1' }, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  })
  running = started
  const [out, err] = await Promise.all([
    new Response(started.stdout).text(),
    new Response(started.stderr).text(),
  ])
  return { output: out + err, code: await started.exited }
}

/** A program that keeps one core busy, and ends with this one. */
function keepBusy() {
  const spin =
    'setInterval(() => { for (const end = performance.now() + 500; performance.now() < end; ); }, 0)'
  const leave = "process.stdin.on('end', () => process.exit()).resume()"
  return Bun.spawn([process.execPath, '-e', `${spin}; ${leave}`], {
    ...{ stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' },
  })
}

/** As the run's last line has it. */
function countsIn(output: string): Counts | undefined {
  const last = [...output.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1)
  if (!last) return undefined
  const [passed = 0, failed = 0, skipped = 0] = last.slice(1).map(Number)
  return { passed, failed, skipped }
}

/** Each failed test once, as vitest names it. */
function failedIn(output: string): Set<string> {
  return new Set([...output.matchAll(/^\s*FAIL\s+(.*\S)\s*$/gm)].map(([, title]) => title as string))
}

function git(...args: string[]): string {
  return `${execFileSync('git', args, { cwd: root })}`.trim()
}

function readWords() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        busy: { type: 'boolean', default: false },
        project: { type: 'string', multiple: true, default: [] },
        'go-on': { type: 'boolean', default: false },
        log: { type: 'string', default: join(root, '.ci/out/repeat.log') },
      },
    })
    const [count, ...files] = positionals
    const times = Number(count)
    if (!Number.isSafeInteger(times) || times < 1) throw new Error(usage)
    return { ...values, times, files, goOn: values['go-on'] }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(2)
  }
}
