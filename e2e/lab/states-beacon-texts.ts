import type { Texts } from './states-texts.ts'

/** Of a draw that takes a round of drand, of several winners, and of the terms. */
export const beaconTexts = {
  beaconNamed: {
    en: ['Waiting for draw...', 'Round 34,441,032, due', 'one round of drand'],
    ko: ['추첨을 기다리는 중...', '34,441,032회차,', 'drand 회차 하나'],
  },
  beaconSettling: {
    en: ['The five blocks are becoming final.', 'Round 34,441,032 in'],
    ko: ['블록 다섯 개가 확정되고 있습니다.', '34,441,032회차까지'],
  },
  beaconWaiting: {
    en: ['The five blocks are final and shown.', 'Round 34,441,032 in', '124045345', 'Their SHA-256'],
    ko: ['블록 다섯 개가 확정되어 공개되었습니다.', '34,441,032회차까지', '124045345', '해시의 SHA-256'],
  },
  beaconLate: {
    en: ['The round is late. It is waited for and never replaced.', 'Round 34,441,032'],
    ko: ['끝까지 기다리며 다른 회차로 바꾸지 않습니다.', '34,441,032회차'],
  },
  beaconFound: {
    en: ['The round is there, and with it the number is fixed.'],
    ko: ['회차의 값이 공개되어 숫자가 정해졌습니다.'],
  },
  beaconSource: {
    en: ['Awaiting Draw', 'Five block hashes and round 34,441,032 of drand'],
    ko: ['추첨 대기', '블록 해시 다섯 개와 drand 34,441,032회차'],
  },
  several: {
    en: ['Winner 1 of 3', 'All 3 winners', 'Winner 2', 'Winner 3', '3 reserves', 'the next reserve by rule'],
    ko: [
      '당첨자 3명 중 1번',
      '당첨자 3명',
      '당첨자 2번',
      '당첨자 3번',
      '예비 당첨자 3명',
      '누구도 고르지 않습니다',
    ],
  },
  promises: {
    en: [
      'Ticket price',
      '3 USDT',
      'Minimum number of tickets',
      '100',
      'Source of the draw',
      'Five block hashes',
    ],
    ko: ['티켓 가격', '3 USDT', '최소 티켓 수', '100', '블록 해시 다섯 개'],
  },
} as const satisfies Record<string, Texts>
