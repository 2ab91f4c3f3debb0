import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** `bun infra/lint/arrows.ts`: imports point one way, so that each part can be read and tested alone. What each
 * part may open beside itself: */
const open: Readonly<Record<string, string>> = {
  core: '',
  // Shared by both servers: no tables, and no browser imports it.
  'core/server': 'core',
  db: 'core core/server',
  api: 'core core/server db',
  worker: 'core core/server db',
  site: 'core',
  infra: 'core core/server db api worker site',
  // The kit that tests use: it may import the product, but no story.
  'e2e/lab': 'core core/server db api worker site infra',
  e2e: 'core core/server db api worker site infra e2e/lab bench',
  bench: 'core core/server db api worker site infra e2e/lab e2e',
}
const parts = Object.keys(open)
const mayOpen = (from: string, to: string): boolean => open[from]?.split(' ').includes(to) === true
/** Rooms of a floor, lowest first: each opens those before it. Files beside the rooms belong to none. */
const rooms: Readonly<Record<string, string>> = {
  core: 'payment chain event refund prize draw content house admin notify live verify server',
  db: 'schema event notify house payment draw prize refund content report admin',
  api: 'http auth upload prize draw house event payment live content refund exports notify server',
  worker: 'chain payment prize draw refund notify',
}
/** Tests in any folder may import the kit, and with it a real chain and a real database. */
const openToTests = ['core/server', 'infra', 'db', 'worker', 'e2e/lab']
/** Data that the desk and the anchor key deploy and compare; its build is checked beside it. */
const registerCode = 'infra/contracts/raffle-register.json'
const purePackages = new Set([
  'viem',
  'viem/utils',
  'viem/siwe',
  '@noble/hashes/sha2',
  '@noble/curves/bls12-381',
  'ipaddr.js',
])
const impureNames =
  /\b(create(Public|Wallet|Test)?Client|http|webSocket|fallback|custom|publicActions|walletActions)\b/

/** Problems with the imports of one file, one sentence each. */
export function wrongArrows(file: string, source: string): string[] {
  const from = partOf(file)
  if (!from) return []
  const isTest = /\.test(-d)?\.tsx?$/.test(file)
  return importsOf(source).flatMap(({ specifier, typeOnly, names }) => {
    if (!specifier.startsWith('.')) return from === 'core' ? wrongPackage(file, specifier, names, isTest) : []
    const target = normalize(join(dirname(file), specifier))
    const to = partOf(target)
    if (/(^|\/)[^/]*main\.ts$/.test(target)) return [`${file} opens ${target}: nothing opens a main.ts.`]
    const above = roomAbove(file, target)
    if (above && !isTest && !typeOnly) return [`${file} opens ${target}: ${above} stands above it.`]
    if (!to || to === from || mayOpen(from, to)) return []
    if (isTest && openToTests.includes(to)) return []
    if (from === 'site' && target === 'api/app.ts' && typeOnly) return []
    // The words of an event, for pages that are filled with them.
    if (from === 'api' && target.startsWith('site/src/event/')) return []
    if (from === 'api' && target === 'site/src/texts/index.ts' && typeOnly) return []
    if ((from === 'site' || from === 'worker') && target === registerCode) return []
    return [`${file} opens ${target}: ${from} may open only ${from} ${open[from]}.`]
  })
}

/** The room of `target`, where it stands above that of `file` on the same floor. */
function roomAbove(file: string, target: string): string | undefined {
  const [floor = '', room = ''] = file.split('/')
  const [other, opened = ''] = target.split('/')
  const order = rooms[floor]?.split(' ') ?? []
  const isAbove = floor === other && order.includes(room) && order.indexOf(opened) > order.indexOf(room)
  return isAbove ? `${floor}/${opened}` : undefined
}

function wrongPackage(file: string, specifier: string, names: string, isTest: boolean): string[] {
  if (isTest) return []
  if (!purePackages.has(specifier))
    return [`${file} opens ${specifier}: core uses only pure packages: ${[...purePackages].join(', ')}.`]
  const impure = impureNames.exec(names)?.[0]
  return impure ? [`${file} takes ${impure} from viem: core uses only its pure functions.`] : []
}

const statement =
  /^\s*(?:import|export)\s+(type\s+)?([^'"`;()]*?)\s*from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\b(?:import|new URL)\(\s*['"]([^'"]+)['"]/gm

function importsOf(source: string): { specifier: string; typeOnly: boolean; names: string }[] {
  return [...source.matchAll(statement)].map(([, type, names = '', from, bare, dynamic]) => ({
    specifier: from ?? bare ?? dynamic ?? '',
    typeOnly: Boolean(type) || allTypes(names),
    names,
  }))
}

/** `import { type A, type B }` leaves nothing at run time either. */
const allTypes = (names: string): boolean =>
  /^\{\s*type\s+\w+(\s+as\s+\w+)?(\s*,\s*type\s+\w+(\s+as\s+\w+)?)*\s*,?\s*\}$/.test(names)

/** The longest matching name: `core/server` is a part of its own. */
const partOf = (path: string): string | undefined =>
  parts.filter((part) => path.startsWith(`${part}/`)).sort((a, b) => b.length - a.length)[0]

if (import.meta.main) {
  const files = new Bun.Glob(
    `{${parts.filter((part) => !part.includes('/')).join(',')}}/**/*.{ts,tsx,astro,mjs}`,
  ).scanSync('.')
  const wrong = [...files]
    .filter((file) => !/node_modules|\.astro\/|\/dist\//.test(file))
    .flatMap((file) => wrongArrows(file, readFileSync(file, 'utf8')))
  for (const sentence of wrong) console.error(sentence)
  process.exitCode = wrong.length === 0 ? 0 : 1
}
