import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Proof } from '../../core/draw/proof.ts'
import { ledger, newPlace, proof, run } from '../../e2e/lab/verify-command.ts'

test('checks saved files without a site or an endpoint, and names what was not checked', async () => {
  const { code, text } = await run('--proof', proof, '--ledger', ledger)
  expect(text).toContain('ok   The seed follows from the five block hashes')
  expect(text).toContain('Incomplete: nothing contradicts it, but 7 of 14 steps could not be done')
  expect(text).toContain('No terms line was kept here.')
  expect(text).not.toContain('Verified')
  expect(code).toBe(2)
})

test('speaks Korean too', async () => {
  const { code, text } = await run('--proof', proof, '--ledger', ledger, '--korean')
  expect(text.split('\n').find((line) => /^\S/.test(line) && line.includes('14'))).toMatch(/7.*14|14.*7/)
  expect(code).toBe(2)
})

test('ends with 1 and names the step when the list was changed, or the kept line is another', async () => {
  const write = newPlace()
  const changed = write('changed.csv', readFileSync(ledger, 'utf8').replace('135,2,', '135,3,'))
  const broken = await run('--proof', proof, '--ledger', changed)
  expect(broken.code).toBe(1)
  expect(broken.text).toContain('FAIL The ticket list has the SHA-256 that was published')
  expect(broken.text).toContain('Contradicted')
  const { terms } = JSON.parse(readFileSync(proof, 'utf8')) as Proof
  const line = terms.replace(',100,true,', ',90,true,')
  // As some editors save it, with more lines than one.
  const file = write('terms.txt', `\uFEFF${line.trimEnd()}\r\n`)
  for (const told of [line.trimEnd(), file]) {
    const kept = await run('--proof', proof, '--ledger', ledger, '--terms', told)
    expect(kept.code).toBe(1)
    expect(kept.text).toContain('minTickets. Expected 90, found 100.')
  }
  expect((await run('--proof', proof, '--ledger', ledger, '--terms', terms)).code).toBe(2)
})

test('of a list that an editor, a cut or another system changed each has its sentence', async () => {
  const write = newPlace()
  const text = readFileSync(ledger, 'utf8')
  const told = async (change: (text: string) => string) =>
    (await run('--proof', proof, '--ledger', write('list.csv', change(text)))).text
  expect(await told((list) => list.replaceAll('\n', '\r\n'))).toContain('does not begin with its header')
  expect(await told((list) => `\uFEFF${list}`)).toContain('does not begin with its header')
  expect(await told((list) => list.replace('0x70', '0X70'))).toContain('is not in its one form')
  expect(await told((list) => list.trimEnd())).toContain('the file is cut off')
  expect(await told(() => '')).toContain('does not begin with its header')
})

test('refunds of a missed minimum: the list has to be below it', async () => {
  const write = newPlace()
  const { terms } = JSON.parse(readFileSync(proof, 'utf8')) as Proof
  const reached = await run('--ledger', ledger, '--terms', terms)
  expect(reached.code).toBe(1)
  expect(reached.text).toContain('All money went back although 136 tickets were sold')
  const more = write('terms', terms.replace(',100,true,', ',137,true,'))
  const missed = await run('--ledger', ledger, '--terms', more)
  expect(missed.code).toBe(2)
  expect(missed.text).toContain('The terms are to the letter those that were kept')
})

test('prints its usage for arguments it does not know', async () => {
  const files = ['--proof', proof, '--ledger', ledger]
  for (const args of [
    ...[[], ['--site', 'http://localhost'], ['--nonsense'], ['--help']],
    ['--proof', '/nowhere', '--ledger', ledger],
    ['--proof', proof, '--ledger', '/nowhere'],
    ['--ledger', ledger],
    [...files, '--terms', '/nowhere'],
    [...files, '--token', 'USDT'],
    [...files, '--chain', 'bsc'],
    // No token is built in for other chains.
    [...files, '--chain', '97'],
  ])
    expect([args, (await run(...args)).code]).toEqual([args, 64])
})
