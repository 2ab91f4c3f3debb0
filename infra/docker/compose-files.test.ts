import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Ajv2019 from 'ajv/dist/2019'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const files = ['compose.yaml', ...new Bun.Glob('infra/docker/*.yaml').scanSync(root)]
const read = (file: string) =>
  Bun.YAML.parse(readFileSync(join(root, file), 'utf8')) as Record<string, unknown>

/** Compose's own description of its files, in which numbers such as ports may also be text. */
function validator(release: '1.29' | 'current') {
  const path = join(root, `e2e/lab/compose-schema/${release}.json`)
  // The older one has ids of an older draft, which nothing refers to.
  const { $schema: _, ...schema } = JSON.parse(readFileSync(path, 'utf8'), (key, value) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  )
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema)
  return (content: unknown) => (validate(content) ? [] : validate.errors)
}
const validators = { '1.29': validator('1.29'), current: validator('current') }

test.each(files.flatMap((file) => (['1.29', 'current'] as const).map((release) => [file, release] as const)))(
  '%s is read by Compose %s',
  (file, release) => {
    expect(validators[release](read(file))).toEqual([])
  },
)

test.each(files)('%s names no version, which newer Compose complains about at every command', (file) => {
  expect(Object.keys(read(file))).not.toContain('version')
})

test.each([
  ['1.29', { services: { api: { image: 'a', develop: {} } } }],
  ['1.29', { name: 'blockdraw', services: {} }],
  ['current', { services: { api: { image: 'a', memory: '1g' } } }],
] as const)('Compose %s would not read %j', (release, content) => {
  expect(validators[release](content)).not.toEqual([])
})
