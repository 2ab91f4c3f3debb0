import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * `bun run test:repeat TIMES [--busy]`: runs the suite so many times in a row, with `--busy` beside a program that keeps one core
 * busy, and stops at the first run that fails. `.ci/out/repeat.log` gets a line a run, and what a failed one said.
 */
const root = join(import.meta.dirname, '../..')
const log = join(root, '.ci/out/repeat.log')
const [word, ...options] = process.argv.slice(2)
const times = Number(word)
const isBusy = options.includes('--busy')
if (!Number.isSafeInteger(times) || times < 1) {
  console.error('bun run test:repeat TIMES [--busy]: TIMES is a whole number from 1 on.')
  process.exit(2)
}

mkdirSync(dirname(log), { recursive: true })
const commit = execFileSync('git', ['describe', '--always', '--dirty'], {
  cwd: root,
  encoding: 'utf8',
}).trim()
for (let run = 1; run <= times; run++) {
  const began = performance.now()
  const neighbour = isBusy ? keepBusy() : undefined
  const { stdout, stderr, exitCode } = await Bun.$`${process.execPath} run test`.cwd(root).nothrow().quiet()
  neighbour?.kill()
  const counts = `${stdout}`.match(/^\d+ passed, \d+ failed, \d+ skipped$/m)?.[0] ?? 'no count'
  const seconds = Math.round((performance.now() - began) / 1000)
  const line = `${new Date().toISOString()}  ${commit}  ${isBusy ? 'busy' : 'quiet'}  ${counts}, exit ${exitCode}  ${seconds} s\n`
  appendFileSync(log, line)
  process.stdout.write(line)
  if (exitCode === 0 && counts.includes(' 0 failed')) continue
  writeFileSync(`${log}.txt`, `${stdout}${stderr}`)
  console.log(`Run ${run} of ${times} failed: ${log}.txt`)
  process.exit(1)
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
