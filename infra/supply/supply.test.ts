import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Ajv from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { billOfMaterials, readLock, root } from './sbom.ts'

const dir = mkdtempSync(join(tmpdir(), 'blockdraw-supply-'))
const file = join(dir, 'advisories.json')
/** What the registry knows; undefined: it has no database. */
let known: Record<string, object[]> | undefined
let asked: Record<string, string[]>
const advisory = { id: 1, url: 'https://advisory', title: 'Swaps addresses', severity: 'critical' }
let registry: ReturnType<typeof Bun.serve>
beforeAll(() => {
  registry = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: async (request) => {
      const bytes = await request.bytes()
      asked = JSON.parse(new TextDecoder().decode(bytes[0] === 0x1f ? Bun.gunzipSync(bytes) : bytes))
      if (!known) return new Response('no', { status: 405 })
      return Response.json(Object.fromEntries(Object.entries(known).filter(([name]) => name in asked)))
    },
  })
})
afterAll(async () => {
  await registry.stop(true)
  rmSync(dir, { recursive: true })
})

async function ask() {
  const url = registry.url.href
  const child = Bun.spawn([process.execPath, join(root, 'infra/supply/advisories.ts'), file], {
    env: { ...process.env, npm_config_registry: url, NPM_CONFIG_REGISTRY: url },
    ...{ stdout: 'pipe', stderr: 'pipe' },
  })
  const [out, code] = [await new Response(child.stdout).text(), await child.exited]
  return {
    out,
    code,
    written: await Bun.file(file)
      .text()
      .catch(() => undefined),
  }
}

test('the bill of materials is CycloneDX 1.6', () => {
  const require = createRequire(import.meta.url)
  const schemas = join(require.resolve('@cyclonedx/cyclonedx-library/package.json'), '../res/schema')
  const schema = (name: string) =>
    JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8'))
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema({ ...schema(name), $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json` })
  const validate = ajv.compile(schema('bom-1.6'))
  expect([validate(billOfMaterials()), validate.errors]).toEqual([true, null])
})

test('the bill names every package of the lock file, with its hash and whether it is shipped', () => {
  const { components } = billOfMaterials()
  const names = components.map(({ name, version }) => `${name}@${version}`)
  const locked = Object.values(readLock().packages).map(([id]) => id)
  expect(names.toSorted()).toEqual([...new Set(locked)].toSorted())
  const scopes = Object.fromEntries(components.map(({ purl, scope }) => [purl.replace(/@[^@]+$/, ''), scope]))
  // viem ships, so what it needs ships; vitest builds nothing that is shipped.
  expect([scopes['pkg:npm/viem'], scopes['pkg:npm/%40noble/hashes'], scopes['pkg:npm/vitest']]).toEqual([
    'required',
    'required',
    'excluded',
  ])
  expect(components.filter(({ hashes }) => hashes?.[0]?.content.length !== 128)).toEqual([])
})

test('S2: a serious advisory about a shipped package fails the pipeline and is in its file', async () => {
  known = { viem: [advisory], vitest: [advisory] }
  const { code, out, written } = await ask()
  expect([code, JSON.parse(written ?? '')]).toEqual([1, { viem: [advisory] }])
  expect(out).toContain('critical: viem: Swaps addresses')
  expect(out).not.toContain('critical: vitest')
  expect(asked.viem).toEqual([JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies.viem])
})

test('a lesser advisory is only written down', async () => {
  known = { viem: [{ ...advisory, severity: 'moderate' }] }
  expect(await ask()).toMatchObject({ code: 0, written: expect.stringContaining('moderate') })
})

test('without advisories the file says so', async () => {
  known = {}
  expect(await ask()).toMatchObject({ code: 0, written: '{}\n' })
})

test('a registry without a database is named, and leaves no file that looks like an answer', async () => {
  rmSync(file, { force: true })
  known = undefined
  const { code, out, written } = await ask()
  expect([code, written]).toEqual([0, undefined])
  expect(out).toContain('not asked')
})

test('S2: no package is taken that is younger than a week', () => {
  const { install } = Bun.TOML.parse(readFileSync(join(root, 'bunfig.toml'), 'utf8')) as {
    install: { minimumReleaseAge: number }
  }
  expect(install.minimumReleaseAge).toBeGreaterThanOrEqual(7 * 24 * 3600)
})
