import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
type Limits = { os?: string | string[]; cpu?: string | string[]; libc?: string | string[] }
type Meta = Limits & { optionalDependencies?: Record<string, string> }
type Lock = { packages: Record<string, [id: string, registry: string, meta?: Meta]> }
const { packages } = Bun.JSONC.parse(readFileSync(join(root, 'bun.lock'), 'utf8')) as Lock

const isFor = (limits: Limits | undefined, cpu: string): boolean =>
  Object.entries({ os: 'linux', cpu, libc: 'glibc' }).every(([name, wanted]) => {
    const listed = limits?.[name as keyof Limits]
    return listed === undefined || [listed].flat().includes(wanted)
  })

/** The packages with native code, each as a family of one package for each system. */
const families = Object.entries(packages).flatMap(([name, [, , meta]]) => {
  const members = Object.keys(meta?.optionalDependencies ?? {})
    .map((member) => (packages[`${name}/${member}`] ?? packages[member])?.[2])
    .filter((member) => member?.cpu)
  // A member may have members of its own, such as the library that it loads.
  if (!members.some((member) => isFor(member, 'x64') || isFor(member, 'arm64'))) return []
  if (meta?.cpu) return []
  return [
    {
      name,
      x64: members.some((member) => isFor(member, 'x64')),
      arm64: members.some((member) => isFor(member, 'arm64')),
    },
  ]
})

test('the lock file has every native package for amd64 and for arm64', () => {
  expect(families.length).toBeGreaterThan(10)
  expect(families.filter(({ x64 }) => !x64)).toEqual([])
  expect(families.filter(({ arm64 }) => !arm64)).toEqual([])
})

test('what the server image takes along has native code for both', () => {
  const argon2 = families.find(({ name }) => name === '@node-rs/argon2')
  expect(argon2).toEqual({ name: '@node-rs/argon2', x64: true, arm64: true })
})
