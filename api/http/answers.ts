import { type TSchema, Type as t } from '@sinclair/typebox'
import type { Address as AddressText, Hash as HashText } from 'viem'
import { type ErrorCode, errors } from '../../core/errors.ts'
import { entropies } from '../../core/event/event.ts'
import { type PaymentReason, type PaymentStatus, paymentReasons } from '../../core/payment/payment.ts'
import { type RefundCause, refundCauses } from '../../core/refund/rules.ts'

/** Values in answers. No answer is checked at run time: types and tests with real answers do that. */
export const answer = <P extends Record<string, TSchema>>(
  properties: P,
  options: { description?: string } = {},
) => t.Object(properties, { ...options, additionalProperties: false })

export const orNull = <S extends TSchema>(schema: S) => t.Union([schema, t.Null()])
export const whole = (description?: string) => t.Integer(description ? { description } : {})
export const moment = (description?: string) =>
  t.String({ format: 'date-time', ...(description && { description }) })
export const listed = <const T extends string>(values: readonly T[]) =>
  t.Unsafe<T>({ type: 'string', enum: [...values] })

const hex = <T extends string>(pattern: string, description: string) =>
  t.Unsafe<T>({ type: 'string', pattern, description })

export const address = hex<AddressText>('^0x[0-9a-fA-F]{40}$', 'With its checksum.')
export const lowerAddress = hex<AddressText>('^0x[0-9a-f]{40}$', 'Lower case.')
export const hash = hex<HashText>('^0x[0-9a-f]{64}$', 'Lower case.')
export const beaconSignature = hex<HashText>('^0x[0-9a-f]{96}$', 'Lower case.')
export const units = hex<string>('^[0-9]+$', 'Units of 10^-18 USDT.')
export const cents = whole('Hundredths of a USDT.')

export const status = listed<PaymentStatus>(['received', 'confirming', 'credited', 'rejected', 'not_found'])
export const reason = orNull(listed<PaymentReason>(paymentReasons))

export const entropy = listed(entropies)
export const refundReason = orNull(listed<RefundCause>(refundCauses))

/** For calls that carry an ETag. */
export const notModified = { 304: 'As If-None-Match has it.' }

export const errorBody = answer({
  code: t.Unsafe<ErrorCode | 'INTERNAL'>({
    type: 'string',
    enum: [...Object.keys(errors), 'INTERNAL'],
    description: 'For programs.',
  }),
  error: t.String({ description: 'For people.' }),
  message: t.String(),
  requestId: t.String(),
  field: t.Optional(t.String({ description: 'The value of the call that is meant.' })),
  values: t.Optional(
    t.Record(t.String(), t.Union([t.String(), t.Number()]), {
      description: 'What its sentence speaks of; `reason` says which of the code’s sentences it is.',
    }),
  ),
})

/** On every answer: no sniffing of types, no scripts, no frames, no referrer. */
export const safeHeaders = (isHttps: boolean): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // Only over https: a local server without it must stay reachable.
  ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})
