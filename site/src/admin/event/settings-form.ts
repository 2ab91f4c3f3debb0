import { type Address, getAddress, isAddress } from 'viem'
import { mostWinners } from '../../../../core/draw/winners.ts'
import { type Entropy, furthestDateMs } from '../../../../core/event/event.ts'
import { isFormUrl } from '../../../../core/prize/claim.ts'
import { t } from '../language/t.ts'
import type { AdminConfig } from '../session/types.ts'
import { fromField, toApi, toField } from '../ui/dates.ts'
import { type Change, changesOf, onlyWrong, readDate, wrongForm, wrongNumber } from './fields.ts'
import { promisesIn, readPrizes, textOfPromises, wrongPrizes } from './prize-draft.ts'

export type SettingsDraft = {
  drawDate: string
  minTickets: string
  entropy: Entropy
  winners: string
  prizes: string
  wallet: string
  formUrl: string
}
export type SettingsChange = Change<keyof SettingsDraft>

const labels: Record<keyof SettingsDraft, string> = {
  drawDate: t('추첨 일시'),
  minTickets: t('최소 참여 인원'),
  entropy: t('추첨 난수'),
  winners: t('당첨자 수'),
  prizes: t('경품'),
  wallet: t('운영자 지갑'),
  formUrl: t('배송 양식 URL'),
}

/** The highest minimum that an event can have. */
export const highestMinimum = 10_000_000

export const draftOf = (event: AdminConfig): SettingsDraft => ({
  drawDate: toField(event.drawDate),
  minTickets: String(event.minTicketsForDraw),
  entropy: event.entropy,
  winners: String(event.winners),
  prizes: textOfPromises(event.prizes),
  wallet: event.operatorWallet ?? '',
  formUrl: event.googleFormUrl ?? '',
})

/** Fields that differ from the saved values; another spelling of the same value is not a difference. */
export const changedFields = (event: AdminConfig, draft: SettingsDraft): SettingsChange[] =>
  changesOf(labels, draftOf(event), draft, (name, text) =>
    name === 'drawDate'
      ? readDate(text)
      : name === 'prizes'
        ? readPrizes(text)
        : name === 'wallet'
          ? text.trim().toLowerCase()
          : text.trim(),
  )

const body = {
  drawDate: ({ drawDate }: SettingsDraft) => {
    const date = fromField(drawDate)
    return { drawDate: date ? toApi(date) : null }
  },
  minTickets: ({ minTickets }: SettingsDraft) => ({ minTicketsForDraw: Number(minTickets) }),
  entropy: ({ entropy }: SettingsDraft) => ({ entropy }),
  winners: ({ winners }: SettingsDraft) => ({ winners: Number(winners) }),
  prizes: ({ prizes, winners }: SettingsDraft) => ({ prizes: promisesIn(prizes, winners) }),
  wallet: ({ wallet }: SettingsDraft) => ({ operatorWallet: wallet.trim() }),
  formUrl: ({ formUrl }: SettingsDraft) => ({ googleFormUrl: formUrl.trim() }),
}

/** A change of the settings as the API takes it. */
export type SettingsBody = {
  drawDate?: string | null
  minTicketsForDraw?: number
  entropy?: Entropy
  winners?: number
  prizes?: ReturnType<typeof promisesIn>
  operatorWallet?: string
  googleFormUrl?: string
  version?: number
  contentVersion?: number
}

/** The fields by their names in the API. */
export const fieldNames = new Map<keyof SettingsBody, keyof SettingsDraft>([
  ['drawDate', 'drawDate'],
  ['minTicketsForDraw', 'minTickets'],
  ['entropy', 'entropy'],
  ['winners', 'winners'],
  ['prizes', 'prizes'],
  ['operatorWallet', 'wallet'],
  ['googleFormUrl', 'formUrl'],
])

/** These fields of a draft as the API takes them. */
export const settingsBody = (draft: SettingsDraft, fields: readonly SettingsChange[]): SettingsBody =>
  Object.assign({}, ...fields.map(({ name }) => body[name](draft)))

/** What another administrator saved since `seen`, as the fields show it. */
export function changedMeanwhile(
  seen: AdminConfig,
  now: AdminConfig,
): (SettingsChange & { from: string; to: string })[] {
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
  return onlyWrong({
    drawDate: changed.has('drawDate') ? wrongDate(event, draft.drawDate, now) : undefined,
    minTickets: changed.has('minTickets') ? wrongNumber(draft.minTickets, 1, highestMinimum) : undefined,
    winners: changed.has('winners') ? wrongNumber(draft.winners, 1, mostWinners) : undefined,
    prizes: changed.has('prizes') ? wrongPrizes(draft.prizes, draft.winners) : undefined,
    wallet: changed.has('wallet') ? wrongWallet(draft.wallet.trim()) : undefined,
    formUrl: changed.has('formUrl') ? wrongUrl(draft.formUrl.trim(), event.formHosts) : undefined,
  })
}

/** `now` in milliseconds by the server's clock, 0 while it is not known. */
export function wrongDrawDate(text: string, leadSeconds: number, now: number): string | undefined {
  const date = fromField(text)
  if (!date) return wrongForm(text)
  if (now === 0) return undefined
  if (date.getTime() - leadSeconds * 1000 <= now)
    return t('판매 종료 시각이 이미 지났습니다. 더 늦은 추첨 일시를 입력하세요.')
  return date.getTime() > now + furthestDateMs ? t('추첨 일시는 180일 안이어야 합니다.') : undefined
}

function wrongDate(event: AdminConfig, text: string, now: number): string | undefined {
  return text.trim() === '' ? undefined : wrongDrawDate(text, event.saleLeadSeconds, now)
}

function wrongWallet(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return t('0x로 시작하는 42자리 주소를 입력하세요.')
  if (/^0x0{40}$/.test(text)) return t('빈 주소에는 돈을 받을 수 없습니다.')
  if (!isAddress(text, { strict: text !== text.toLowerCase() })) return t('체크섬이 맞지 않는 주소입니다.')
  return undefined
}

function wrongUrl(text: string, hosts: readonly string[]): string | undefined {
  if (text === '') return undefined
  const isHttps = text.startsWith('https://') && !/\s/.test(text) && URL.canParse(text)
  if (!isHttps) return t('https:// 로 시작하는 주소를 입력하세요.')
  return isFormUrl(text, hosts) ? undefined : t('{hosts} 주소만 쓸 수 있습니다.', { hosts: hosts.join(', ') })
}

/** The saved form is at a host that FORM_HOSTS does not name: visitors do not see it. */
export const isFormHidden = ({ googleFormUrl, formHosts }: AdminConfig): boolean =>
  googleFormUrl !== null && !isFormUrl(googleFormUrl, formHosts)

/** The address in checksum form, as people compare it; undefined if it is not an address. */
export const checksummed = (text: string): Address | undefined =>
  wrongWallet(text.trim()) === undefined ? getAddress(text.trim()) : undefined
