import { readFileSync, truncateSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { EventContent } from '../../core/content/event-content.ts'
import { contentSha256, promisedText } from '../../core/content/promised.ts'
import { commitmentOf } from '../../core/draw/anchor.ts'
import type { Proof } from '../../core/draw/proof.ts'
import { termsWith } from '../../e2e/lab/anchored-event.ts'
import { aContent, aPrize } from '../../e2e/lab/content.ts'
import { ledger, newPlace, proof, run, serve } from '../../e2e/lab/verify-command.ts'
import { lacksPython } from '../../e2e/lab/python.ts'
import { runPython, verifyPy } from '../../e2e/lab/verify-py.ts'
import { httpRpc } from './verify/node.ts'

test('I40: what a site says that it raffles is compared with the SHA-256 in the terms, by both verifiers', async () => {
  const vector = JSON.parse(readFileSync(proof, 'utf8')) as Proof
  const { eventNumber } = vector
  const promised = aContent()
  const terms = termsWith(vector.terms, { contentSha256: contentSha256(promised) })
  const commitment = commitmentOf(terms, vector.ledger.sha256)
  const answer = (content: EventContent) =>
    JSON.stringify({
      ...{ eventNumber, content, contentSha256: contentSha256(content), promised: promisedText(content) },
      corrections: [],
    })
  const site = (content: string | undefined) =>
    serve(({ url }) => {
      const { pathname } = new URL(url)
      if (pathname === `/api/raffle/proof/${eventNumber}`)
        return Response.json({ ...vector, terms, commitment })
      if (pathname === `/api/raffle/ledger/${eventNumber}`) return new Response(readFileSync(ledger))
      if (pathname === `/api/raffle/content/${eventNumber}` && content !== undefined)
        return new Response(content)
      return new Response(null, { status: 404 })
    })
  const cheaper = aContent({ prizes: [aPrize({ value: '$9' })] })
  for (const [content, code, said] of [
    [answer(promised), 2, 'ok   The terms are those shown while tickets were sold'],
    [undefined, 2, 'part The terms are those shown while tickets were sold'],
    [answer(cheaper), 1, 'The content is not the one that the terms promise.'],
    ['<html>', 1, 'The content is not JSON.'],
  ] as const) {
    const args = ['--site', site(content), '--event', `${eventNumber}`, '--terms', terms]
    const told = await run(...args)
    expect([told.code, told.text]).toEqual([code, expect.stringContaining(said)])
    if (lacksPython) continue
    const python = await runPython([verifyPy, ...args])
    expect([python.code, python.text]).toEqual([code, expect.stringContaining(said)])
  }
  // Saved, without a site.
  const write = newPlace()
  const files = [
    '--proof',
    write('proof', JSON.stringify({ ...vector, terms, commitment })),
    '--ledger',
    ledger,
    '--terms',
    terms,
  ]
  expect((await run(...files, '--content', write('honest', answer(promised)))).text).toContain(
    'ok   The terms are',
  )
  expect((await run(...files, '--content', write('forged', answer(cheaper)))).code).toBe(1)
  expect((await run(...files)).text).toContain('give it with --content')
})

test('a download above 512 MiB stops with one sentence', async () => {
  const write = newPlace()
  const big = write('big', '')
  truncateSync(big, 512 * 2 ** 20 + 1)
  const bigLedger = serve(({ url }) => new Response(Bun.file(url.includes('/proof/') ? proof : big)))
  const bigProof = serve(({ url }) => new Response(Bun.file(url.includes('/proof/') ? big : ledger)))
  for (const site of [bigLedger, bigProof]) {
    const { code, text } = await run('--site', site, '--event', '1')
    expect(text.split('\n')[0]).toMatch(/^\S+ is larger than 512 MiB\.$/)
    expect(code).toBe(64)
  }
})

test('an endpoint whose answer would fill the memory has not answered', async () => {
  const node = serve(() => Response.json({ jsonrpc: '2.0', id: 1, result: '0'.repeat(2_000) }))
  expect(await httpRpc(node)('eth_chainId', [])).toHaveLength(2_000)
  await expect(httpRpc(node, 1_000)('eth_chainId', [])).rejects.toThrow('was not answered')
})
