import { expect, test } from 'vitest'
import { agree, openSeats } from './agree.ts'
import type { Endpoint } from './endpoint.ts'

/** Endpoints that answer what they are given, and which of them are set aside. */
function tellers(...answers: string[]) {
  const hosts = answers.map((_, index) => `node-${index}`)
  const seats = openSeats(
    hosts,
    () => 0,
    () => undefined,
  )
  const endpoints = hosts.map((host, index) => ({ host, seat: seats[index] }) as unknown as Endpoint)
  const ask = async ({ host }: Endpoint) => answers[hosts.indexOf(host)]
  const print = (answer: string) => answer
  return {
    all: () => agree(endpoints, ask, print, { all: true }).catch(({ code }) => code),
    two: () => agree(endpoints, ask, print).catch(({ code }) => code),
    aside: () => hosts.filter((_, index) => seats[index]?.isAside()),
  }
}

test('where all are asked the larger part decides, and who says otherwise is set aside', async () => {
  const odd = tellers('a', 'a', 'b', 'a')
  expect([await odd.all(), odd.aside()]).toEqual(['a', ['node-2']])
})

test('where as many say one thing as another nobody is believed, and nobody is set aside', async () => {
  for (const answers of [
    ['a', 'a', 'b', 'b'],
    ['a', 'b', 'b', 'c', 'a'],
    ['a', 'b'],
  ]) {
    const halves = tellers(...answers)
    expect([await halves.all(), halves.aside()]).toEqual(['RPC_DISAGREE', []])
  }
})

test('two alike are enough where not all are asked, and one of several never is', async () => {
  const second = tellers('a', 'b', 'b', 'a')
  expect([await second.two(), second.aside()]).toEqual(['b', ['node-0']])
  const alone = tellers('a', 'b', 'c')
  expect([await alone.two(), alone.aside()]).toEqual(['RPC_DISAGREE', []])
  expect(await tellers('a').two()).toBe('a')
})
