import type { Address, Hash, Hex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { RefundKind } from '../../core/refund/rules.ts'
import { type Fields, onlyFields, toBoolean } from '../http/fields.ts'
import { toHash, toInteger, toWallet } from '../http/parse.ts'

/** What the calls of the refund desk may say; recipients and amounts are never among it. */
const maxRows = 500
const maxId = 2 ** 53 - 1
const maxNonce = 2 ** 40

export function executeBody(fields: Fields) {
  onlyFields(fields, ['refundInfo', 'kind', 'eventNumber'])
  const info = fields.refundInfo
  if (typeof info !== 'object' || info === null || Array.isArray(info)) throw invalid('refundInfo')
  const { totalTickets, totalAmount } = info as Fields
  onlyFields(info as Fields, ['totalTickets', 'totalAmount'])
  return {
    expected: {
      totalTickets: toInteger(totalTickets, 'INVALID_VALUE', 'totalTickets', 0, maxId),
      totalAmount: toInteger(totalAmount, 'INVALID_VALUE', 'totalAmount', 0, maxId),
    },
    kind: fields.kind === undefined ? ('event' as const) : toKind(fields.kind),
    eventNumber: fields.eventNumber === undefined ? undefined : toEventNumber(fields.eventNumber),
  }
}

export function offerBody(fields: Fields) {
  onlyFields(fields, ['ids', 'nonce', 'wallet', 'transactions'])
  const ids = toIds(fields.ids)
  return {
    ids,
    nonce: toNonce(fields.nonce),
    wallet: toWallet(fields.wallet),
    // One for each row, unless the wallet is asked for fewer, or for allowances besides.
    transactions:
      fields.transactions === undefined
        ? ids.length
        : toInteger(fields.transactions, 'INVALID_VALUE', 'transactions', 1, ids.length + 2),
  }
}

export function sentBody(fields: Fields): { ids: number[]; transactionHash: Hash } {
  onlyFields(fields, ['ids', 'transactionHash'])
  return { ids: toIds(fields.ids), transactionHash: toHash(fields.transactionHash) }
}

export function sentOneBody(fields: Fields): { transactionHash: Hash } {
  onlyFields(fields, ['transactionHash'])
  return { transactionHash: toHash(fields.transactionHash) }
}

export function keepBody(fields: Fields) {
  onlyFields(fields, ['rows', 'nonce'])
  return { ...rejectedBody({ rows: fields.rows }), nonce: toNonce(fields.nonce) }
}

export function rejectedBody(fields: Fields): { rows: { id: number; revision: number }[] } {
  onlyFields(fields, ['rows'])
  const { rows } = fields
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > maxRows) throw invalid('rows')
  return {
    rows: rows.map((row) => {
      if (typeof row !== 'object' || row === null) throw invalid('rows')
      onlyFields(row, ['id', 'revision'])
      return { id: toId(row.id), ...revisionBody({ revision: row.revision }) }
    }),
  }
}

export function revisionBody(fields: Fields): { revision: number } {
  onlyFields(fields, ['revision'])
  return { revision: toInteger(fields.revision, 'INVALID_VALUE', 'revision', 1, maxId) }
}

export function readdressBody(fields: Fields): { recipient: Address; signature: Hex } {
  onlyFields(fields, ['recipient', 'signature'])
  const { signature } = fields
  // A signature of a key has 65 bytes; that of a contract may be longer.
  if (typeof signature !== 'string' || !/^0x(?:[0-9a-f]{2}){1,4096}$/i.test(signature))
    throw invalid('signature')
  return { recipient: toWallet(fields.recipient), signature: signature as Hex }
}

export function transferBody(fields: Fields) {
  onlyFields(fields, ['transactionHash', 'position', 'notRefund'])
  return {
    transactionHash: toHash(fields.transactionHash),
    position: toInteger(fields.position, 'INVALID_VALUE', 'position', 0, 100_000),
    notRefund: toBoolean(fields.notRefund, 'notRefund'),
  }
}

/** An id in a path; what is none names no row. */
export function toRowId(text: string | undefined): number {
  if (text !== undefined && /^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new RaffleError('NOT_FOUND', '해당 환불 항목이 없습니다.')
}

function toKind(value: unknown): RefundKind {
  if (value === 'event' || value === 'leftover') return value
  throw invalid('kind')
}

const toEventNumber = (value: unknown): number =>
  toInteger(value, 'INVALID_VALUE', 'eventNumber', 1, 2 ** 31 - 1)
const toNonce = (value: unknown): number => toInteger(value, 'INVALID_VALUE', 'nonce', 0, maxNonce)
const toId = (value: unknown): number => toInteger(value, 'INVALID_VALUE', 'id', 1, maxId)

function toIds(value: unknown): number[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxRows) throw invalid('ids')
  return [...new Set(value.map(toId))]
}

const invalid = (name: string) => new RaffleError('INVALID_VALUE', `${name}: 올바른 값이 아닙니다.`)
