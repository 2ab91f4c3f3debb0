import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { checksums, withIntegrity } from './integrity.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('S3: scripts and style sheets of the build carry their hash, nothing else does', () => {
  const html =
    '<link rel="icon" href="/i.svg"><link rel="stylesheet" href="/_astro/a.css"><script type="module" src="/_astro/b.js"></script>'
  const hash = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`
  expect(withIntegrity(html, bytes)).toBe(
    `<link rel="icon" href="/i.svg"><link rel="stylesheet" href="/_astro/a.css" integrity="${hash('/_astro/a.css')}">` +
      `<script type="module" src="/_astro/b.js" integrity="${hash('/_astro/b.js')}"></script>`,
  )
})

test('S3: the list of hashes is in the form of sha256sum, in one order', () => {
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  expect(checksums(['b', 'a/c'], () => bytes(''))).toBe(`${empty}  a/c\n${empty}  b\n`)
})
