import { type Address, type Hex, toHex } from 'viem'
import { rpc } from '../../../../infra/local/rpc.ts'
import { waitBlockTime } from '../../../lab/chain-verbs.ts'
import { until } from '../../../lab/until.ts'
import { stamp } from './first-hour.ts'
import type { Operator } from './operator.ts'
import type { Place } from './place.ts'

/** The sale ends, the operator draws, sends the prize to whoever claims it, and opens the next event. */
export async function drawDay(day: Operator, { stack }: Place): Promise<void> {
  const { shot, page, say } = day
  const drawAt = await bringForward(day)
  await waitBlockTime(stack.chain.url, drawAt - 10_000)
  await day.open('블록체인 추첨')
  await page.getByText(say('고정됨'), { exact: true }).first().waitFor()
  await shot('anchored')
  await day.open('기본 설정')
  await shot('settings-locked')
  await day.open('블록체인 추첨')
  await waitBlockTime(stack.chain.url, drawAt)
  await day.press('추첨 시작')
  await shot('draw-question')
  await day.agree('추첨 시작', '1')
  await day.read('추첨을 시작했습니다. 10초 뒤에 당첨자가 발표됩니다.')
  await shot('drawing')
  await day.read('공개 페이지에 발표되어 있습니다.')
  await shot('winner')
  await send(day, await claim(day, stack.chain.url))
  await clear(day)
  await openNext(day)
}

/** Nobody waits three days here. Answers the draw date. */
export async function bringForward(day: Operator, tab = true): Promise<number> {
  if (tab) await day.open('기본 설정')
  const drawAt = Math.ceil(Date.now() / 1000 + 30) * 1000
  await day.type('추첨 일시 (UTC)', stamp(drawAt))
  await day.press('설정 저장')
  await day.agree('변경 저장')
  await day.read('설정을 저장했습니다')
  return drawAt
}

/** The winner signs with the wallet that paid, as the public page has him do. Answers his code. */
async function claim({ url }: Operator, rpcUrl: string): Promise<string> {
  type Asked = { message: string; walletAddress: Address }
  let asked: Asked | undefined
  await until(async () => {
    const answer = await fetch(`${url}/api/raffle/claim/1`)
    if (answer.ok) asked = (await answer.json()) as Asked
    return asked !== undefined
  }, 'the winner can claim')
  const { message, walletAddress } = asked as unknown as Asked
  const signature = await rpc<Hex>(rpcUrl, 'personal_sign', [toHex(message), walletAddress])
  const claimed = await fetch(`${url}/api/raffle/claim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ eventNumber: 1, message, signature }),
  })
  return ((await claimed.json()) as { code: string }).code
}

async function send(day: Operator, code: string): Promise<void> {
  const { shot, panel, say } = day
  await day.read('신청됨, 발송 대기')
  await day.type('수령 코드', 'AAAA-BBBB-CCCC-DDDD')
  await day.press('코드 확인')
  await day.read('당첨자의 코드가 아닙니다')
  await shot('code-wrong')
  await day.type('수령 코드', code)
  await day.press('코드 확인')
  await day.read('당첨자의 코드입니다')
  await panel().getByLabel(say('운송장'), { exact: true }).fill('DHL 4711')
  await shot('claimed')
  await day.press('발송으로 표시')
  await day.read('발송을 기록했습니다')
  await shot('shipped')
}

async function clear(day: Operator): Promise<void> {
  await day.press('발표 지우기')
  await day.shot('clear-question')
  await day.agree('발표 지우기', '1')
  await day.read('당첨자 발표를 지웠습니다.')
  await day.shot('cleared')
  await day.press('추첨 시작')
  await day.agree('추첨 시작', '1')
  await day.read('공개 페이지에 발표되어 있습니다.')
}

/** Terms first, then the start. */
async function openNext(day: Operator): Promise<void> {
  const { shot, panel, say } = day
  await day.open('다음 이벤트')
  await shot('next-event')
  await panel()
    .getByLabel(say('추첨 일시 (UTC)'), { exact: true })
    .fill(stamp(Date.now() + 5 * 86_400_000))
  await panel().getByLabel(say('최소 참여 인원'), { exact: true }).fill('100')
  await shot('terms-changed')
  await day.press('초안 저장')
  await day.read('초안이 저장되어 있습니다.')
  await shot('terms-drafted')
  await day.press('이벤트 {eventNumber} 시작', { eventNumber: 2 })
  await shot('next-question')
  await day.agree('보관하고 시작')
  await day.read('다음 이벤트를 시작했습니다')
  await shot('next-started')
}
