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
 * file of tests that finds one has to fail twice with it and to pass without it. Exit 1 if any is not found.
 */
type Report = {
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[]
}

const root = join(import.meta.dirname, '../..')
const place = mkdtempSync(join(tmpdir(), 'blockdraw-faults-'))
const tree = join(place, 'tree')
process.on('SIGINT', () => process.exit(130))
process.on('exit', () => {
  rmSync(place, { recursive: true, force: true })
  execFileSync('git', ['worktree', 'prune'], { cwd: root })
})

const numbers = process.argv.slice(2).map(Number)
const wanted = numbers.length > 0 ? faults.filter((_, index) => numbers.includes(index + 1)) : faults
openTree()
let lost = 0
for (const fault of wanted) {
  const foundBy = await finderOf(fault)
  if (!foundBy) lost++
  console.log(`${faults.indexOf(fault) + 1} ${fault.name}: ${foundBy ? `found by ${foundBy}` : 'NOT FOUND'}`)
}
console.log(`${wanted.length} faults, ${lost} not found`)
process.exit(lost > 0 ? 1 : 0)

/** Plants a fault, looks for tests that fail with it and pass without it, and takes it out again. */
async function finderOf(fault: Fault): Promise<string | undefined> {
  const uproot = plant(fault)
  try {
    for (const args of runsOf(fault)) {
      const failure = await firstFailure(args)
      // Once could be chance.
      if (!failure || !(await firstFailure(['run', failure.file]))) continue
      uproot()
      return (await firstFailure(['run', failure.file])) ? undefined : `"${failure.title}" (${failure.file})`
    }
  } finally {
    uproot()
  }
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

/** The first test that fails; a file whose set-up fails has no title. */
async function firstFailure(args: readonly string[]): Promise<{ file: string; title?: string } | undefined> {
  const outputFile = join(place, 'report.json')
  rmSync(outputFile, { force: true })
  const which = ['--project', 'unit', '--project', 'chain', '--bail=1']
  const command = ['--bun', 'vitest', ...args, ...which, '--reporter=json', `--outputFile=${outputFile}`]
  const env = { ...process.env, NO_COLOR: '1' }
  const output = await Bun.$`${process.execPath} ${command}`.cwd(tree).env(env).nothrow().quiet()
  if (!existsSync(outputFile)) throw new Error(`vitest ${args.join(' ')} has no report: ${output.stderr}`)
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as Report
  const [failure] = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, assertionResults }) => {
      const title = assertionResults.find(({ status }) => status === 'failed')?.fullName
      return { file: name.replace(`${tree}/`, ''), ...(title && { title }) }
    })
    // The rest is what was ended with the first that failed.
    .sort((a, b) => Number('title' in b) - Number('title' in a))
  return failure
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

/** HEAD in a folder of its own, with the packages of this checkout and without what vitest keeps beside them. */
function openTree(): void {
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', tree, 'HEAD'], { cwd: root })
  const packages = join(tree, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') || name === '.bin')
      symlinkSync(join(root, 'node_modules', name), join(packages, name))
}
