import { expect, test } from 'vitest'
import type { PublicPrize, PublicPrizeStep } from '../../../core/prize/promise.ts'
import { recordMarkup } from './event-slots.ts'

const walletAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const
const step = (name: PublicPrizeStep['step'], day: number, reason: string | null = null): PublicPrizeStep => ({
  ...{ step: name, walletAddress, transactionHash: null, reason },
  at: new Date(Date.UTC(2055, 0, day)).toISOString(),
})
const prize: PublicPrize = {
  ...{ eventNumber: 1, place: 1, kind: 'goods', units: null, state: 'claimed', claimBy: null },
  holder: { kind: 'winner', place: 1, walletAddress },
  steps: [
    step('drawn', 1),
    step('claimed', 2),
    step('sent', 3),
    step('corrected', 4, 'The carrier <lost> it.'),
  ],
}
const written = (): string => recordMarkup([prize]).markup

test('why a prize was not sent after all is in the page of its event, as the operator wrote it', () => {
  expect(written()).toContain('The operator: The carrier &lt;lost&gt; it.')
})

test('what was taken back is no step that was done', () => {
  const states = [...written().matchAll(/<li data-state="(\w+)"/g)].map(([, state]) => state)
  expect(states).toEqual(['done', 'done', 'done', 'failed', 'now', 'ahead'])
})
