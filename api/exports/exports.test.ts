import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { loadProof } from '../../db/draw/facts.ts'
import { saveLegalText } from '../../db/house/rules.ts'
import { claimPayment } from '../../db/payment/claims.ts'
import { noteAcceptance } from '../../db/payment/purchases.ts'
import { eachExport, rowsOf } from '../../e2e/lab/exported.ts'
import { alice, bob } from '../../e2e/lab/ledger-story.ts'
import { agreedBlocks, drawnFrom, soldOut } from '../../e2e/lab/recorded-draw.ts'
import { disposition } from './routes.ts'

const { adminApi, sell, payments, made } = eachExport()
const send = (method: string, path: string) => adminApi.send(method, path, { token: adminApi.token })
/** Names of sheets, headers and words. */
const textsOf = ({ worksheets }: Awaited<ReturnType<typeof made>>) =>
  worksheets.flatMap((sheet) => [
    sheet.name,
    ...sheet.getSheetValues().flatMap((row) => (row as unknown[]).map(String)),
  ])

test('the public file holds the rows of the ledger with only their public columns (U5, I28)', async () => {
  await sell()
  const [first, second] = await payments()
  const answer = await adminApi.send('GET', '/api/tickets/export/excel?lang=en')
  // In both languages, so that one file does for all.
  expect(answer.headers.get('content-disposition')).toContain("UTF-8''tickets-event-1.xlsx")
  const [header, ...rows] = await rowsOf(answer)
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
  const [header, ...all] = await rowsOf(await made('event'))
  expect(header).toHaveLength(14)
  expect(all.map((row) => [row[0] ?? null, row[1], row[2], row[3] ?? null, row[6]])).toEqual([
    [1, 33, '발급 완료', null, 99],
    [34, 1, '발급 완료', null, 3.5],
    [null, 0, '발급 안 됨', '금액 부족', 1],
    [null, 0, '발급 안 됨', '보류', 5],
  ])
  const [titles, ...lines] = await rowsOf(await made('refund'))
  expect(titles?.slice(1, 6)).toEqual([
    ...['티켓 수', '돌려줄 금액 (USDT)', '받은 금액 (USDT)', '남은 금액 (USDT)', '상태'],
  ])
  expect(lines).toEqual([[getAddress(bob), 0, 1, 0, 1, '보류']])
  const [, ...history] = await rowsOf(await made('history'))
  expect(history.map((row) => row.slice(0, 2))).toEqual([[1, '진행 중']])
})

test('each route gives its file, in English without a word of Korean, its name neither', async () => {
  await sell()
  for (const [method, path, sheet, name] of [
    ['POST', '/api/admin/export/history', 'history', 'draw-history.xlsx'],
    ['POST', '/api/admin/export/refund', 'refund', 'refund.xlsx'],
    ['GET', '/api/admin/export/excel/event/1', 'event', 'event-1.xlsx'],
  ] as const) {
    const answer = await send(method, `${path}?lang=en`)
    expect(answer.headers.get('content-disposition')?.split("UTF-8''")[1]).toBe(name)
    const english = await made(sheet, 'en')
    expect(await rowsOf(answer)).toEqual(await rowsOf(english))
    const [en, ko] = [textsOf(english), textsOf(await made(sheet))]
    expect(ko.some((text) => /[가-힣]/.test(text))).toBe(true)
    expect(en.filter((text) => /[가-힣]/.test(text))).toEqual([])
    expect(en.length).toBe(ko.length)
  }
  const wrong = await adminApi.ask('POST', '/api/admin/export/history?lang=fr')
  expect(wrong.body).toMatchObject({ code: 'INVALID_VALUE', field: 'lang' })
})

test('file names are Korean for every browser', async () => {
  const { headers } = await send('POST', '/api/admin/export/history')
  const name = headers.get('content-disposition') ?? ''
  expect(name).toBe(
    `attachment; filename="draw-history-.xlsx"; filename*=UTF-8''draw-history-${encodeURIComponent('추첨기록')}.xlsx`,
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(disposition(`a"b\\c('*).xlsx`)).toBe(
    `attachment; filename="abc('*).xlsx"; filename*=UTF-8''a%22b%5Cc%28%27%2a%29.xlsx`,
  )
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
  const none = await adminApi.ask('POST', '/api/admin/export/refund', { eventNumber: 2 })
  expect(none.status).toBe(404)
})
