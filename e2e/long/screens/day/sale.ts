import type { Address } from 'viem'
import { accountsOf } from '../../../lab/chain-verbs.ts'
import { payBnb, payByHand } from '../../../lab/pay.ts'
import { payAll } from '../../../lab/payers.ts'
import { until } from '../../../lab/until.ts'
import type { Operator } from './operator.ts'
import type { Place } from './place.ts'

/** Buyers come; the operator looks at money that bought nothing, says what was wrong, and asks for fewer tickets. */
export async function sale(day: Operator, { stack }: Place): Promise<void> {
  const { page, shot } = day
  const rpcUrl = stack.chain.url
  const buyers = (await accountsOf(rpcUrl)).slice(1) as Address[]
  for (const [at, usdt] of [99, 3, 27].entries()) await payByHand(rpcUrl, buyers[at] as Address, usdt)
  const little = await payByHand(rpcUrl, buyers[3] as Address, 2)
  await payAll(rpcUrl, [buyers[5] as Address], () => 5)
  await payBnb(rpcUrl, buyers[4] as Address)
  await sold(day, 43)
  await day.open('기본 설정')
  await shot('settings-while-selling')
  await day.open('블록체인 관리')
  await page.getByRole('table').first().waitFor()
  await shot('money-without-tickets')
  await day.type('거래 해시', '0x12')
  await day.press('거래 처리')
  await page.locator('[aria-invalid=true]').first().waitFor()
  await shot('transaction-wrong')
  await day.type('거래 해시', little)
  await day.press('거래 처리')
  await page.locator('#toasts li').first().waitFor()
  await shot('transaction-read')
  await day.open('데이터 관리')
  await shot('data')
  await correct(day)
  await lowerMinimum(day)
}

/** Waits until the summary of the dashboard says so many tickets. */
const sold = (day: Operator, tickets: number): Promise<number> =>
  until(
    async () => (await (await fetch(`${day.url}/api/raffle/stats`)).json()).ticketsSold === tickets,
    `${tickets} tickets`,
  )

async function correct(day: Operator): Promise<void> {
  await day.open('다음 이벤트')
  const form = day.panel().getByRole('form', { name: day.say('정정 덧붙이기') })
  await form.getByLabel(day.say('정정 · {name}', { name: 'English' })).fill('It has seven gears, not eight.')
  await form
    .getByLabel(day.say('정정 · {name}', { name: day.say('한국어') }))
    .fill('8단이 아니라 7단 기어입니다.')
  await day.button(form, '정정 공개').click()
  await day.shot('correction-question')
  await day.agree('공개')
  await day.read('정정을 공개했습니다')
  await day.shot('correction')
}

async function lowerMinimum(day: Operator): Promise<void> {
  await day.open('기본 설정')
  await day.type('최소 참여 인원', '90')
  await day.press('설정 저장')
  await day.shot('minimum-refused')
  await day.type('최소 참여 인원', '30')
  await day.press('설정 저장')
  await day.shot('minimum-question')
  await day.agree('변경 저장')
  await day.read('설정을 저장했습니다')
}
