import type { Address } from 'viem'
import { mustHaveEvent } from '../../../../db/event/events.ts'
import { accountsOf, waitBlockTime } from '../../../lab/chain-verbs.ts'
import { payByHand } from '../../../lab/pay.ts'
import { bringForward } from './draw-day.ts'
import type { Operator } from './operator.ts'
import type { Place } from './place.ts'

/** The second event sells too little: everything goes back, one by one; what bought nothing in the first by the contract. */
export async function refundDay(day: Operator, { stack }: Place): Promise<void> {
  const { shot, page, say } = day
  const rpcUrl = stack.chain.url
  const buyers = (await accountsOf(rpcUrl)) as Address[]
  const event = await mustHaveEvent(stack.db)
  await waitBlockTime(rpcUrl, event.saleStart.getTime())
  for (const at of [1, 2, 3]) await payByHand(rpcUrl, buyers[at] as Address, at * 9)
  await day.open('환불 관리')
  await shot('refund-not-yet')
  const drawAt = await bringForward(day)
  await waitBlockTime(rpcUrl, drawAt)
  await day.open('환불 관리')
  await page.getByText(say('환불 모드입니다.')).first().waitFor()
  await day.button(day.panel(), '환불 준비').waitFor()
  await shot('refund-mode')
  await notice(day)
  await prepare(day)
  await payOneByOne(day)
  await leftovers(day)
}

async function notice(day: Operator): Promise<void> {
  await day.press('공지 켜기')
  await day.shot('notice-question')
  await day.agree('공지 켜기')
  await day.read('환불 공지를 켰습니다')
}

async function prepare(day: Operator): Promise<void> {
  await day.press('환불 준비')
  await day.shot('prepare-question')
  await day.agree('환불 준비')
  await day.read('환불을 준비했습니다')
  await day.shot('prepared')
}

async function connect(day: Operator): Promise<void> {
  await day.press('운영자 지갑 연결')
  await day.panel().locator('details:has(fieldset) summary').waitFor()
}

async function payOneByOne(day: Operator): Promise<void> {
  const { panel, say, shot } = day
  await connect(day)
  const ways = panel().locator('details:has(fieldset)')
  await ways.locator('summary').click()
  await ways.getByText(say('한 건씩'), { exact: true }).click()
  await shot('ways')
  await day.press('{count}건 지갑에서 승인', { count: 3 })
  await day.read('보낼 수 있는 환불을 모두 보냈고, 체인에서 확정되었습니다.')
  await shot('refunded')
  await panel()
    .getByRole('list', { name: say('환불 대상') })
    .locator('button[aria-expanded=false]')
    .first()
    .click()
  await shot('refunded-payer')
}

/** Money without a ticket of the first event. */
async function leftovers(day: Operator): Promise<void> {
  const { panel, say, shot } = day
  await panel()
    .getByRole('combobox', { name: say('이벤트'), exact: true })
    .selectOption('1')
  await panel()
    .getByRole('group', { name: say('환불 종류') })
    .getByText(say('티켓 없는 결제'), { exact: true })
    .click()
  await day.button(panel(), '환불 준비').waitFor()
  await shot('leftovers')
  await day.press('환불 준비')
  await day.agree('환불 준비')
  // The wallet is still connected.
  await day.button(panel(), '{count}건 지갑에서 승인', { count: 1 }).waitFor()
  await shot('leftovers-prepared')
  await panel()
    .getByRole('button', { name: say('소액 모두 포함') })
    .click()
  await shot('dust-question')
  await day.agree('모두 포함')
  await day.press('{count}건 지갑에서 승인', { count: 2 })
  await day.read('보낼 수 있는 환불을 모두 보냈고, 체인에서 확정되었습니다.')
  await shot('leftovers-paid')
}
