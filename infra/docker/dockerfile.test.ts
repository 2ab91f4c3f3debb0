import { readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const dockerfile = readFileSync(join(import.meta.dirname, 'Dockerfile'), 'utf8')

/** Paths of this repository that a stage copies, with those of the stage that it builds on. */
function copied(stage: string): string[] {
  const text = dockerfile
    .split(/^(?=FROM )/m)
    .find((part) => new RegExp(`^FROM \\S+ AS ${stage}\\n`).test(part))
  const from = /^FROM (\w+) AS/.exec(text ?? '')?.[1]
  const own = [...(text ?? '').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  )
  return [...(from ? copied(from) : []), ...own]
}

/** Every import of a file outside the paths, as `file -> target`. */
function missing(paths: readonly string[]): string[] {
  const has = (target: string) => paths.some((path) => target === path || target.startsWith(`${path}/`))
  const glob = new Bun.Glob('{core,db,api,worker,site,infra}/**/*.{ts,tsx,astro,mjs}')
  const files = [...glob.scanSync(root)].filter(
    (file) => has(file) && !/\.test(-d)?\.tsx?$|node_modules|\/dist\/|\.astro\//.test(file),
  )
  expect(files.length).toBeGreaterThan(20)
  return files.flatMap((file) => {
    // A type is gone before anything is built.
    const source = readFileSync(join(root, file), 'utf8').replace(/import type [\s\S]*? from '[^']+'/g, '')
    return [...source.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*['"](\.[^'"]+)['"]/g)]
      .map(([, specifier = '']) => normalize(join(dirname(file), specifier)))
      .filter((target) => !has(target))
      .map((target) => `${file} -> ${target}`)
  })
}

test.each(['bundle', 'site'])('the stage "%s" copies every file that its sources open', (stage) => {
  expect(missing(copied(stage))).toEqual([])
})

test('the pages are laid into the image of another architecture as into their own, and nothing is run for that', () => {
  const script = readFileSync(join(import.meta.dirname, 'images.sh'), 'utf8')
  const [, laid = ''] = /<<DOCKERFILE\n([\s\S]*?)\nDOCKERFILE\n/.exec(script) ?? []
  const built = dockerfile.split(/^(?=FROM )/m).find((part) => / AS pages\n/.test(part)) ?? ''
  expect(laid).not.toContain('RUN')
  const placesOf = (text: string) =>
    [...text.matchAll(/^COPY .*? (\S+)$/gm)]
      .map(([, place]) => place)
      .filter((place) => place !== '/published')
  expect(placesOf(laid)).toEqual(placesOf(built))
  const endOf = (text: string) => text.trimEnd().split('\n').slice(-2)
  expect(endOf(laid)).toEqual(endOf(built.split('\n\n')[0] ?? ''))
})

test('no line of the Dockerfile is bound to one architecture', () => {
  expect(dockerfile.match(/--platform|x86_64|amd64|x64|aarch64|arm64/gi)).toBeNull()
})
