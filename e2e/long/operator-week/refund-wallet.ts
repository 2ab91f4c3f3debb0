import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { openTab } from '../../lab/admin-verbs.ts'
import { soon } from '../../lab/story.ts'
import { toastText } from '../../lab/verbs.ts'
import type { Week } from './week.ts'

/** Its text is signed elsewhere; a signature of another key registers nothing. */
export async function addRefundWallet({ page, known }: Week): Promise<void> {
  await openTab(page, '환불')
  const [wallet, other] = ['61', '62'].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`)) as [
    PrivateKeyAccount,
    PrivateKeyAccount,
  ]
  await page.getByLabel('환불 지갑 주소', { exact: true }).fill(wallet.address)
  const card = page.getByRole('region', { name: '환불 지갑 추가' })
  await card.getByRole('button', { name: '다른 곳에서 서명' }).click()
  const message = await card.getByText('which will pay refunds').innerText()
  const send = async (signature: string) => {
    await card.getByLabel('서명', { exact: true }).fill(signature)
    await card.getByRole('button', { name: '서명 확인' }).click()
  }
  await send(await other.signMessage({ message }))
  expect(await toastText(page, '지갑 서명을 확인하지 못했습니다')).toContain('이 지갑의 서명이 아닙니다')
  await send(await wallet.signMessage({ message }))
  expect(await toastText(page, '환불 지갑을 추가했습니다')).toContain('이제 이 지갑에서')
  await soon(async () => JSON.stringify(await known('/raffle/changes'))).toContain(wallet.address)
}
