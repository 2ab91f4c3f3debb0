import { getAddress, isAddress } from 'viem'
import { fromField, toApi, toField } from '../frame/dates.ts'
import type { AdminConfig } from '../frame/types.ts'

export type SettingsDraft = { drawDate: string; minTickets: string; wallet: string; formUrl: string }
export type Change = { name: keyof SettingsDraft; label: string }

const maxTickets = 10_000_000

export const draftOf = (event: AdminConfig): SettingsDraft => ({
  drawDate: toField(event.drawDate),
  minTickets: String(event.minTicketsForDraw),
  wallet: event.operatorWallet ?? '',
  formUrl: event.googleFormUrl ?? '',
})

/** Fields that differ from the saved values; another spelling of the same value is not a difference. */
export function changedFields(event: AdminConfig, draft: SettingsDraft): Change[] {
  const saved = draftOf(event)
  const moment = (text: string) => fromField(text)?.getTime() ?? text.trim()
  const changes: (Change & { isChanged: boolean })[] = [
    { name: 'drawDate', label: '추첨 일시', isChanged: moment(draft.drawDate) !== moment(saved.drawDate) },
    {
      name: 'minTickets',
      label: '최소 참여 인원',
      isChanged: draft.minTickets.trim() !== saved.minTickets,
    },
    {
      name: 'wallet',
      label: '운영자 지갑',
      isChanged: draft.wallet.trim().toLowerCase() !== saved.wallet.toLowerCase(),
    },
    { name: 'formUrl', label: '배송 양식 URL', isChanged: draft.formUrl.trim() !== saved.formUrl },
  ]
  return changes.filter(({ isChanged }) => isChanged).map(({ name, label }) => ({ name, label }))
}

const body = {
  drawDate: ({ drawDate }: SettingsDraft) => {
    const date = fromField(drawDate)
    return { drawDate: date ? toApi(date) : null }
  },
  minTickets: ({ minTickets }: SettingsDraft) => ({ minTicketsForDraw: Number(minTickets) }),
  wallet: ({ wallet }: SettingsDraft) => ({ operatorWallet: wallet.trim() }),
  formUrl: ({ formUrl }: SettingsDraft) => ({ googleFormUrl: formUrl.trim() }),
}

/** A change of the settings as the API takes it. */
export type SettingsBody = {
  drawDate?: string | null
  minTicketsForDraw?: number
  operatorWallet?: string
  googleFormUrl?: string
  version?: number
}

/** The fields by their names in the API. */
export const fieldNames = new Map<keyof SettingsBody, keyof SettingsDraft>([
  ['drawDate', 'drawDate'],
  ['minTicketsForDraw', 'minTickets'],
  ['operatorWallet', 'wallet'],
  ['googleFormUrl', 'formUrl'],
])

/** These fields of a draft as the API takes them. */
export const settingsBody = (draft: SettingsDraft, fields: readonly Change[]): SettingsBody =>
  Object.assign({}, ...fields.map(({ name }) => body[name](draft)))

/** What another administrator saved since `seen`, as the fields show it. */
export function changedMeanwhile(
  seen: AdminConfig,
  now: AdminConfig,
): (Change & { from: string; to: string })[] {
  const [before, after] = [draftOf(seen), draftOf(now)]
  return changedFields(seen, after).map((change) => ({
    ...change,
    from: before[change.name],
    to: after[change.name],
  }))
}

/** One sentence per wrong field among the changed ones. `now` in milliseconds by the server's clock. */
export function wrongFields(
  event: AdminConfig,
  draft: SettingsDraft,
  now: number,
): Partial<Record<keyof SettingsDraft, string>> {
  const changed = new Set(changedFields(event, draft).map(({ name }) => name))
  const wrong: Partial<Record<keyof SettingsDraft, string | undefined>> = {
    drawDate: changed.has('drawDate') ? wrongDate(event, draft.drawDate, now) : undefined,
    minTickets: changed.has('minTickets') ? wrongMinimum(event, draft.minTickets) : undefined,
    wallet: changed.has('wallet') ? wrongWallet(draft.wallet.trim()) : undefined,
    formUrl: changed.has('formUrl') ? wrongUrl(draft.formUrl.trim()) : undefined,
  }
  return Object.fromEntries(Object.entries(wrong).filter(([, text]) => text))
}

function wrongDate(event: AdminConfig, text: string, now: number): string | undefined {
  const isLocked = event.termsLocked && !event.isOver
  if (text.trim() === '')
    return isLocked && event.drawDate ? '티켓이 판매된 뒤에는 추첨 일시를 없앨 수 없습니다.' : undefined
  const date = fromField(text)
  if (!date) return '날짜 형식이 올바르지 않습니다. 예: 2025-09-30 12:00'
  const saleEnd = date.getTime() - event.saleLeadSeconds * 1000
  if (now > 0 && saleEnd <= now) return '판매 종료 시각이 이미 지났습니다. 더 늦은 추첨 일시를 입력하세요.'
  if (isLocked && event.latestDrawDate && date > new Date(event.latestDrawDate))
    return `처음 공개한 날에서 30일까지만 미룰 수 있습니다: ${toField(event.latestDrawDate)}`
  return undefined
}

function wrongMinimum(event: AdminConfig, text: string): string | undefined {
  const value = /^\d{1,8}$/.test(text.trim()) ? Number(text) : 0
  if (value < 1 || value > maxTickets) return '1에서 10,000,000 사이의 정수를 입력하세요.'
  if (event.termsLocked && !event.isOver && value > event.minTicketsForDraw)
    return `티켓이 판매된 뒤에는 ${event.minTicketsForDraw}보다 낮출 수만 있습니다.`
  return undefined
}

function wrongWallet(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return '0x로 시작하는 42자리 주소를 입력하세요.'
  if (/^0x0{40}$/.test(text)) return '빈 주소에는 돈을 받을 수 없습니다.'
  if (!isAddress(text, { strict: text !== text.toLowerCase() })) return '체크섬이 맞지 않는 주소입니다.'
  return undefined
}

function wrongUrl(text: string): string | undefined {
  if (text === '') return undefined
  const isHttps = text.startsWith('https://') && !/\s/.test(text) && URL.canParse(text)
  return isHttps ? undefined : 'https:// 로 시작하는 주소를 입력하세요.'
}

/** The address in checksum form, as people compare it; undefined if it is not an address. */
export const checksummed = (text: string): string | undefined =>
  wrongWallet(text.trim()) === undefined ? getAddress(text.trim()) : undefined
