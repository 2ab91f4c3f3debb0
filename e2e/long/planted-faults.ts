import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Fault, faults } from '../lab/faults.ts'

/**
 * `bun run test:faults [N ...] [--types]`: plants the faults of faults.ts, or those with these numbers, one by one in a
 * scratch worktree of HEAD, and runs tests until the first failure: those of the changed file, those beside it, then all
 * that are related. A test that finds one has to fail twice with it and to pass without it. Exit 1 if any is not found.
 * With `--types` it plants them all at once and asks the compiler alone: a fault that is no program is none.
 */
type Outcome = { fault: Fault; foundBy?: string | undefined; seconds: number }
type Failure = { file: string; title?: string | undefined; message?: string | undefined }
type Report = {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string }[]
  }[]
}

const root = join(import.meta.dirname, '../..')
const place = mkdtempSync(join(tmpdir(), 'blockdraw-faults-'))
const tree = join(place, 'tree')
const words = process.argv.slice(2)
const numbers = words.filter((word) => word !== '--types').map(Number)
const wanted = numbers.length > 0 ? numbers.map((number) => faults[number - 1]) : faults
if (!isWhole(wanted)) {
  console.error(`bun run test:faults [N ...] [--types]: N is a whole number from 1 to ${faults.length}.`)
  process.exit(2)
}

let child: ReturnType<typeof Bun.spawn> | undefined
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isInterrupted = true
    child?.kill(signal)
  })

const outcomes: Outcome[] = []
let isSound = true
try {
  openTree()
  if (words.includes('--types')) isSound = await compiles(wanted)
  else for (const fault of wanted) outcomes.push(await tryOut(fault))
} catch (error) {
  if (!isInterrupted) throw error
} finally {
  closeTree()
}
if (isInterrupted) process.exit(130)
if (outcomes.length > 0) isSound = tell()
process.exit(isSound ? 0 : 1)

/** Plants a fault, looks for a test that fails with it and passes without it, and takes it out again. */
async function tryOut(fault: Fault): Promise<Outcome> {
  const began = performance.now()
  const uproot = plant(fault)
  let failure: Failure | undefined
  try {
    for (const args of runsOf(fault)) {
      failure = await foundTwice(args)
      if (failure) break
    }
  } finally {
    uproot()
  }
  if (failure && (await firstFailure(['run', failure.file], failure))) {
    console.log(`  ${nameOf(failure)} fails without the fault, too.`)
    failure = undefined
  }
  const outcome = { fault, foundBy: failure && nameOf(failure), seconds: secondsSince(began) }
  console.log(`${numberOf(fault)} ${fault.name}: ${verdictOf(outcome)} (${outcome.seconds} s)`)
  return outcome
}

/** The first test that fails, and fails again: once could be chance. */
async function foundTwice(args: readonly string[]): Promise<Failure | undefined> {
  const failure = await firstFailure(args)
  if (!failure || (await firstFailure(['run', failure.file], failure))) return failure
  console.log(`  ${nameOf(failure)} fails by chance.`)
  return undefined
}

/** What vitest is called with, one after the other until a test fails: the nearest tests come first. */
function runsOf({ file, related }: Fault): string[][] {
  if (related) return [['run', ...related]]
  const beside = readdirSync(join(tree, dirname(file)))
    .filter((name) => /\.test\.tsx?$/.test(name) && !name.includes('.long.'))
    .map((name) => `${dirname(file)}/${name}`)
  const own = beside.filter((test) => test.startsWith(file.replace(/tsx?$/, '')))
  const runs = [own, beside].filter(({ length }) => length > 0)
  return [...runs.map((files) => ['run', ...files]), ['related', file, '--run']]
}

/** The first test that fails, or the one that is `asked` for if it does. A file whose set-up fails has no title. */
async function firstFailure(args: readonly string[], asked?: Failure): Promise<Failure | undefined> {
  const outputFile = join(place, 'report.json')
  rmSync(outputFile, { force: true })
  const bail = asked ? [] : ['--bail=1']
  const projects = ['--project', 'unit', '--project', 'chain']
  const reports = ['--reporter=json', `--outputFile=${outputFile}`]
  const output = await run(['--bun', 'vitest', ...args, ...projects, ...bail, ...reports])
  if (!existsSync(outputFile))
    throw new Error(`vitest ${args.join(' ')} has no report: ${output.slice(-2_000)}`)
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as Report
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .map(
      ({ name, message, assertionResults }): Failure => ({
        file: name.replace(`${tree}/`, ''),
        message: message.trim().split('\n')[0],
        title: assertionResults.find(({ status }) => status === 'failed')?.fullName,
      }),
    )
  // The rest is what was ended with the first that failed.
  if (!asked) return failures.find(({ title }) => title) ?? failures.find(({ message }) => message)
  return failures.find(({ file, title }) => file === asked.file && (!asked.title || title === asked.title))
}

/** Changes the one place; answers how the file becomes what it was. */
function plant({ name, file, find, replace }: Fault): () => void {
  const path = join(tree, file)
  const before = readFileSync(path, 'utf8')
  const times = before.split(find).length - 1
  if (times !== 1) throw new Error(`"${name}": its place occurs ${times} times in ${file}.`)
  const changed = before.replace(find, () => replace)
  if (file.endsWith('.ts')) new Bun.Transpiler({ loader: 'ts' }).scan(changed)
  writeFileSync(path, changed)
  return () => writeFileSync(path, before)
}

async function compiles(planted: readonly Fault[]): Promise<boolean> {
  for (const fault of planted) plant(fault)
  const output = await run(['x', 'tsc', '--noEmit', '-p', '.'])
  const files = new Set(planted.map(({ file }) => file))
  const errors = output.split('\n').filter((line) => files.has(line.split('(')[0] ?? ''))
  console.log([...errors, `${planted.length} faults, ${errors.length} errors of types`].join('\n'))
  return errors.length === 0
}

async function run(args: readonly string[]): Promise<string> {
  if (isInterrupted) throw new Error('Interrupted.')
  const started = Bun.spawn([process.execPath, ...args], {
    ...{ cwd: tree, env: { ...process.env, NO_COLOR: '1' }, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  })
  child = started
  const [out, err] = await Promise.all([
    new Response(started.stdout).text(),
    new Response(started.stderr).text(),
  ])
  await started.exited
  child = undefined
  if (isInterrupted) throw new Error('Interrupted.')
  return out + err
}

/** HEAD in a folder of its own, with the packages of this checkout and without what vitest keeps beside them. */
function openTree(): void {
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', tree, 'HEAD'], { cwd: root })
  const packages = join(tree, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') || name === '.bin')
      symlinkSync(join(root, 'node_modules', name), join(packages, name))
}

function closeTree(): void {
  rmSync(place, { recursive: true, force: true })
  execFileSync('git', ['worktree', 'prune'], { cwd: root })
}

/** The table at the end; false if any was not found. */
function tell(): boolean {
  const lost = outcomes.filter(({ foundBy }) => !foundBy)
  console.log('')
  for (const { fault, foundBy, seconds } of outcomes)
    console.log(
      `${numberOf(fault)}  ${foundBy ? 'found    ' : 'NOT FOUND'}  ${`${seconds}`.padStart(4)} s  ${fault.file}  ${fault.name}`,
    )
  console.log(`${outcomes.length} faults, ${outcomes.length - lost.length} found, ${lost.length} not found`)
  return lost.length === 0
}

function isWhole(chosen: readonly (Fault | undefined)[]): chosen is readonly Fault[] {
  return chosen.every((fault) => fault !== undefined)
}

function numberOf(fault: Fault): string {
  return `${faults.indexOf(fault) + 1}`.padStart(2)
}

function verdictOf({ foundBy }: Outcome): string {
  return foundBy ? `found by ${foundBy}` : 'NOT FOUND'
}

function nameOf({ file, title, message }: Failure): string {
  return title ? `"${title}" (${file})` : `the set-up of ${file}: ${message}`
}

function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 1000)
}
