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
 * `bun run test:faults [N ...]`: plants the faults of faults.ts, or those with these numbers, one by one in a scratch worktree
 * of HEAD, and runs tests until the first failure: those of the changed file, those beside it, then all that are related. A
 * test that finds one has to fail twice with it and to pass without it. Exit 1 if any is not found.
 */
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
const numbers = process.argv.slice(2).map(Number)
const wanted: readonly (Fault | undefined)[] =
  numbers.length > 0 ? numbers.map((number) => faults[number - 1]) : faults
if (wanted.includes(undefined)) {
  console.error(`bun run test:faults [N ...]: N is a whole number from 1 to ${faults.length}.`)
  process.exit(2)
}

let child: ReturnType<typeof Bun.spawn> | undefined
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isInterrupted = true
    child?.kill(signal)
  })

const lines: string[] = []
try {
  openTree()
  for (const fault of wanted as Fault[]) {
    const began = performance.now()
    const foundBy = await finderOf(fault)
    const seconds = `${Math.round((performance.now() - began) / 1000)}`.padStart(4)
    const number = `${faults.indexOf(fault) + 1}`.padStart(2)
    console.log(`${number} ${fault.name}: ${foundBy ? `found by ${foundBy}` : 'NOT FOUND'} (${seconds} s)`)
    lines.push(
      `${number}  ${foundBy ? 'found    ' : 'NOT FOUND'}  ${seconds} s  ${fault.file}  ${fault.name}`,
    )
  }
} catch (error) {
  if (!isInterrupted) throw error
} finally {
  rmSync(place, { recursive: true, force: true })
  execFileSync('git', ['worktree', 'prune'], { cwd: root })
}
if (isInterrupted) process.exit(130)
const lost = lines.filter((line) => line.includes('NOT FOUND')).length
console.log(`\n${lines.join('\n')}\n${lines.length} faults, ${lines.length - lost} found, ${lost} not found`)
process.exit(lost > 0 ? 1 : 0)

/** Plants a fault, looks for a test that fails with it and passes without it, and takes it out again. */
async function finderOf(fault: Fault): Promise<string | undefined> {
  const uproot = plant(fault)
  let failure: Failure | undefined
  try {
    for (const args of runsOf(fault)) {
      failure = await firstFailure(args)
      // Once could be chance.
      if (failure && (await firstFailure(['run', failure.file], failure))) break
      if (failure) console.log(`  ${nameOf(failure)} fails by chance.`)
      failure = undefined
    }
  } finally {
    uproot()
  }
  if (!failure || !(await firstFailure(['run', failure.file], failure))) return failure && nameOf(failure)
  console.log(`  ${nameOf(failure)} fails without the fault, too.`)
  return undefined
}

/** What vitest is called with, one after the other until a test fails: the nearest tests come first. */
function runsOf({ file, related }: Fault): string[][] {
  if (related.length > 0) return [['run', ...related]]
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

async function run(args: readonly string[]): Promise<string> {
  const started = Bun.spawn([process.execPath, ...args], {
    ...{ cwd: tree, env: { ...process.env, NO_COLOR: '1' }, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  })
  child = started
  const output = await Promise.all(
    [started.stdout, started.stderr].map((stream) => new Response(stream).text()),
  )
  await started.exited
  if (isInterrupted) throw new Error('Interrupted.')
  return output.join('')
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

function nameOf({ file, title, message }: Failure): string {
  return title ? `"${title}" (${file})` : `the set-up of ${file}: ${message}`
}
