import type { TSchema } from 'elysia'
import * as s from './schemas.ts'

export type Answer = { about: string; type?: string; schema?: TSchema }
export type Call = {
  about: string
  more?: string
  /** What varies in the path. */
  params?: Record<string, string>
  body?: TSchema
  answers: Record<number, Answer>
  /** Statuses of refusals besides those that every call may give. */
  refusals?: readonly number[]
}

const fromMemory =
  'Answered from memory. Carries an ETag and is 304 to If-None-Match; query parameters change nothing. `x-state-version` never goes back; `x-state: stale` while the database is gone.'
const json = (schema: TSchema, about = 'The answer.'): Answer => ({ about, schema })
const state = (about: string, schema: TSchema): Call => ({
  about,
  more: fromMemory,
  answers: { 200: json(schema), 304: { about: 'As If-None-Match has it.' } },
})
const file = (about: string, type: string): Answer => ({ about, type })
const event = { eventNumber: 'Number of the event, from 1.' }

/** Every public call, by method and path as its route has it. A test compares the list with the routes. */
export const calls: Record<string, Call> = {
  'GET /api/raffle/config': state('Dates, wallet and terms of the current event', s.Config),
  'GET /api/raffle/stats': state('Tickets sold and their price', s.Stats),
  'GET /api/tickets/recent': state('The newest purchases', s.Recent),
  'GET /api/raffle/winner': state('The announced winner, or null', s.Winner),
  'GET /api/raffle/draw-status': state('Where the draw stands', s.DrawStatus),
  'GET /api/raffle/history': state('Past events, newest first', s.History),
  'GET /api/event/settings': state('What is said of the next event', s.EventSettings),
  'GET /api/live': {
    about: 'The whole public state, and then its changes, as server-sent events',
    more: 'Event `snapshot` comes with the connection, `change` when something changed, `beat` every 5 s, `close` when the server is restarted. `id` is the version. 20 streams an address.',
    answers: {
      200: file('Events whose data is a LiveSnapshot, LiveChange or LiveBeat.', 'text/event-stream'),
    },
  },
  'POST /api/tickets/purchase': {
    about: 'Reports the hash of a payment',
    more: 'A hint to look at the chain: only facts on chain give out tickets, to the sender of the transfer. Any number of repeats has the same answer.',
    body: s.PurchaseHint,
    answers: {
      202: json(s.PurchaseReceipt, 'Taken, it will be verified.'),
      200: json(s.PurchaseReceipt, 'Known already.'),
    },
    refusals: [400, 403, 408, 413, 415, 422],
  },
  'GET /api/tickets/purchase/:hash': {
    about: 'What became of a reported payment',
    params: { hash: 'Transaction hash.' },
    answers: { 200: json(s.PurchaseReport) },
    refusals: [404, 422],
  },
  'GET /api/tickets/wallet/:address': {
    about: 'Payments and tickets of a wallet in the current event',
    params: { address: 'Wallet address.' },
    answers: { 200: json(s.WalletReport) },
    refusals: [422],
  },
  'GET /api/tickets/export/excel': {
    about: 'All tickets of the current event as a workbook',
    answers: {
      200: file('The workbook.', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
    },
  },
  'GET /api/raffle/ledger/:eventNumber': {
    about: 'The canonical ledger file',
    more: 'Its SHA-256 is the published fingerprint. Anyone can rebuild it from the chain, byte for byte. 409 before the freeze.',
    params: event,
    answers: {
      200: file('One line a payment, in chain order.', 'text/csv'),
      304: { about: 'As If-None-Match has it.' },
    },
    refusals: [404, 409],
  },
  'GET /api/raffle/proof/:eventNumber': {
    about: 'Everything a draw was made of',
    more: '404 before the winner is announced; unchanged from then on.',
    params: event,
    answers: { 200: json(s.Proof), 304: { about: 'As If-None-Match has it.' } },
    refusals: [404],
  },
  'GET /api/raffle/changes': {
    about: 'What administrators and the chain changed, in public',
    answers: { 200: json(s.Changes), 304: { about: 'As If-None-Match has it.' } },
  },
  'GET /api/raffle/claim/:eventNumber': {
    about: 'What the winner signs to claim the prize',
    params: event,
    answers: { 200: json(s.ClaimText) },
    refusals: [404],
  },
  'POST /api/raffle/claim': {
    about: "The winner's code for the delivery form",
    body: s.Claim,
    answers: { 200: json(s.ClaimCode) },
    refusals: [400, 403, 404, 408, 413, 415, 422],
  },
  'GET /api/uploads/:key': {
    about: 'A published image',
    params: { key: 'Name of the image.' },
    answers: { 200: file('JPEG or PNG.', 'image/*'), 304: { about: 'As If-None-Match has it.' } },
    refusals: [404],
  },
  'GET /api/health': { about: 'The process answers', answers: { 200: json(s.Health) } },
  'GET /api/ready': {
    about: 'It has a state to answer from and is not about to leave',
    answers: { 200: json(s.ReadyReport) },
  },
  'GET /api/openapi.json': {
    about: 'This document',
    answers: { 200: file('OpenAPI 3.1.', 'application/json') },
  },
}
