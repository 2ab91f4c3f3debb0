import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { loadProof } from '../../db/draw/facts.ts'
import { saveLegalText } from '../../db/house/rules.ts'
import { claimPayment } from '../../db/payment/claims.ts'
import { noteAcceptance } from '../../db/payment/purchases.ts'
import { eachExport, rowsOf } from '../../e2e/lab/exported.ts'
import { alice, bob } from '../../e2e/lab/ledger-story.ts'
import { agreedBlocks, drawnFrom, soldOut } from '../../e2e/lab/recorded-draw.ts'

const { adminApi, publicExport, sell, payments, made } = eachExport()

test('the public file holds the rows of the ledger with only their public columns (U5, I28)', async () => {
  await sell()
  const [first, second] = await payments()
  const [header, ...rows] = await rowsOf(await publicExport())
  expect(header).toEqual([
    '티켓 번호 / Ticket No.',
    '거래 해시 / Transaction Hash',
    '금액 (USDT) / Amount',
    '구매 시각 (UTC) / Purchased At',
  ])
  expect(rows).toEqual([
    [1, first?.transaction_hash, 99, new Date(first?.block_time ?? '')],
    [34, second?.transaction_hash, 3.5, new Date(second?.block_time ?? '')],
  ])
})

test('an event file lists all payments, a refund file what each payer is owed, has received and is due', async () => {
  await sell()
  const asked = (method: string, path: string) => adminApi.send(method, path, { token: adminApi.token })
  const [header, ...all] = await rowsOf(await asked('GET', '/api/admin/export/excel/event/1'))
  expect(header).toHaveLength(14)
  expect(all.map((row) => [row[0] ?? null, row[1], row[2], row[3] ?? null, row[6]])).toEqual([
    [1, 33, '발급 완료', null, 99],
    [34, 1, '발급 완료', null, 3.5],
    [null, 0, '발급 안 됨', '금액 부족', 1],
    [null, 0, '발급 안 됨', '보류', 5],
  ])
  const [titles, ...lines] = await rowsOf(await asked('POST', '/api/admin/export/refund'))
  expect(titles?.slice(1, 6)).toEqual([
    ...['티켓 수', '돌려줄 금액 (USDT)', '받은 금액 (USDT)', '남은 금액 (USDT)', '상태'],
  ])
  expect(lines).toEqual([[getAddress(bob), 0, 1, 0, 1, '보류']])
  const none = await adminApi.ask('POST', '/api/admin/export/refund', { eventNumber: 2 })
  expect(none.status).toBe(404)
  const [, ...history] = await rowsOf(await asked('POST', '/api/admin/export/history'))
  expect(history.map((row) => row.slice(0, 2))).toEqual([[1, '진행 중']])
})

test('the draw history names all winners and reserves, and what the draw was made of', async () => {
  const payments = [alice, bob].map((payer) => ({ payer, cents: 9_00 }))
  const sold = await soldOut(adminApi.db, { payments, winners: 2 })
  await drawnFrom(adminApi.db, sold, agreedBlocks(sold, 1))
  const [history, drawn] = (await made('history')).worksheets.map((sheet) =>
    (sheet.getSheetValues() as unknown[][]).slice(1).map((row) => row.slice(1)),
  )
  const { body } = await adminApi.ask('GET', '/api/admin/raffle/history')
  const proof = await loadProof(adminApi.db, 1)
  const named = Object.fromEntries((history?.[0] ?? []).map((name, index) => [name, history?.[1]?.[index]]))
  expect(named).toMatchObject({
    ...{ '당첨자 수': 2, '당첨 지갑': body[0].winnerWallet, '난수의 출처': 'blocks' },
    ...{ '블록 시드': proof?.blockSeed, '커밋먼트 (SHA-256)': proof?.commitment },
  })
  expect(drawn).toEqual([
    ['이벤트', '구분', '순위', '티켓 번호', '결제 지갑', '거래 해시'],
    ...(proof?.winners ?? []).map(({ walletAddress, transactionHash }, index) => [
      ...[1, '당첨', index + 1, body[0].drawn[index].ticketNumber],
      ...[getAddress(walletAddress), transactionHash],
    ]),
  ])
  expect(body[0]).toMatchObject({ winners: 2, entropy: 'blocks', beaconRound: null })
})

test('an event file shows what each buyer told to have accepted', async () => {
  await sell()
  const [first] = await payments()
  const hash = first?.transaction_hash as `0x${string}`
  const termsSha256 = await saveLegalText(adminApi.db, { kind: 'terms', en: 'One.', ko: '하나.' })
  await claimPayment(adminApi.db, { transactionHash: hash })
  await noteAcceptance(adminApi.db, hash, { termsSha256, age: 19 })
  const [, ...rows] = await rowsOf(await made('event'))
  expect(rows.map((row) => [row[10], row[12], row[13]])).toEqual([
    [termsSha256, 19, expect.any(Date)],
    ...rows.slice(1).map(() => [undefined, undefined, undefined]),
  ])
})

test('an event that does not exist is not found', async () => {
  for (const id of ['2', '0', 'x', '-1', '1e3', '99999999999'])
    expect((await adminApi.ask('GET', `/api/admin/export/excel/event/${id}`)).status).toBe(404)
})
