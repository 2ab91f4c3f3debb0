import { expect, test } from 'vitest'
import type { ChainHealth } from '../../../../core/chain/chain-health.ts'
import type { Pipeline } from '../session/session.ts'
import { chainState } from './PipelineCard.tsx'

const endpoint = {
  host: 'a.example',
  state: 'ok',
  failures: 0,
  lastFailure: null,
  logs: 'ranges',
  rangeBlocks: 1,
}
const calm = {
  finalHeight: '9',
  isStalled: false,
  skewSeconds: 0,
  areHeadersKnown: true,
  endpoints: [endpoint],
}
const pipelineWith = (facts: object, waitingSeconds: number | null = null) =>
  ({
    worker: { secondsAgo: 1, facts: { ...calm, ...facts } as ChainHealth },
    scan: { lagSeconds: 1 },
    waitingSeconds,
  }) as unknown as Pipeline

test('the dashboard says while one provider alone is believed (RPC_UNSAFE), and what is worse before it', () => {
  expect(chainState(pipelineWith({ isUnsafe: false }), '')).toEqual({ tone: 'ok', text: '체인 정상' })
  expect(chainState(pipelineWith({ isUnsafe: true }), '')).toEqual({
    tone: 'bad',
    text: '노드 업체 하나만 사용 중',
  })
  expect(chainState(pipelineWith({ isUnsafe: true }, 12), '').text).toBe('두 번째 노드 대기 중')
})

test('one of several endpoints that is silent for minutes is named and needs a person; what is worse comes first', () => {
  const silent = (failures: number, state = 'failing') => ({
    endpoints: [endpoint, { ...endpoint, host: 'b.example', state, failures }],
  })
  expect(chainState(pipelineWith(silent(64)), '').tone).toBe('ok')
  const named = { tone: 'wait', text: 'b.example 응답 없음', needsYou: true }
  expect(chainState(pipelineWith(silent(65)), '')).toEqual(named)
  expect(chainState(pipelineWith({ ...silent(65, 'resting'), isStalled: true }), '')).toEqual(named)
  expect(chainState(pipelineWith(silent(65), 12), '').text).toBe('두 번째 노드 대기 중')
})
