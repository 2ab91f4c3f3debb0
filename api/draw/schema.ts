import { Type as t } from '@sinclair/typebox'
import { parseSignature } from '../../core/draw/beacon.ts'
import { mostEventNumber } from '../../core/event/ranges.ts'
import { read, refusal, refuse } from '../http/schema.ts'
import { cursor, whole } from '../http/values.ts'

export const beaconBody = t.Object({
  eventNumber: whole(1, mostEventNumber),
  signature: read(
    t.String(refusal('INVALID_SIGNATURE', { reason: 'form' })),
    (value) => parseSignature(value) ?? refuse(),
  ),
})
export const changesQuery = t.Object({ cursor })
