import { expect, test } from 'vitest'
import type { Channel } from '../frame/types.ts'
import { bodyOf, draftOf, keepsSecret, newSigningKey, wrongFields } from './channel-form.ts'

const mail: Channel = {
  ...{ id: 3, kind: 'email', name: 'mail', language: 'en', events: ['drawn'], enabled: false, revision: 2 },
  ...{ webhook: null, telegram: null, hasSecret: true, waiting: 0, givenUp: 0 },
  email: {
    ...{ host: 'mail.example', port: 587, security: 'starttls', user: 'u', from: 'a@b.example' },
    to: ['c@d.example', 'e@f.example'],
  },
}

test('a channel that was only looked at is sent as it is, without its secret', () => {
  const { id: _, revision: __, hasSecret: ___, waiting, givenUp, webhook, telegram, ...same } = mail
  expect([waiting, givenUp, webhook, telegram]).toEqual([0, 0, null, null])
  expect(bodyOf(draftOf(mail))).toEqual(same)
})

test('a new channel is told everything, and says what it lacks', () => {
  const draft = draftOf()
  expect(draft.events).toHaveLength(15)
  expect(Object.keys(wrongFields(draft))).toEqual(['name', 'url', 'secret'])
  expect(Object.keys(wrongFields({ ...draft, kind: 'telegram' }))).toEqual(['name', 'chatId', 'secret'])
  // Mail without a login needs no password.
  expect(Object.keys(wrongFields({ ...draft, kind: 'email' }))).toEqual(['name', 'host', 'from', 'to'])
})

test('the stored password stays only for the mail server that it was entered for', () => {
  const draft = draftOf(mail)
  expect(
    [draft, { ...draft, host: ' mail.example ' }, { ...draft, to: 'x@y.example' }].map((one) =>
      keepsSecret(one, mail),
    ),
  ).toEqual([true, true, true])
  expect(
    [
      { ...draft, host: 'other.example' },
      { ...draft, user: 'v' },
      { ...draft, port: '465' },
    ].map((one) => keepsSecret(one, mail)),
  ).toEqual([false, false, false])
  expect(wrongFields({ ...draft, host: 'other.example' }, mail)).toHaveProperty('secret')
})

test('signing keys are 32 random bytes', () => {
  const [one, other] = [newSigningKey(), newSigningKey()]
  expect(one).not.toBe(other)
  expect(Buffer.from(one.replace('whsec_', ''), 'base64')).toHaveLength(32)
})
