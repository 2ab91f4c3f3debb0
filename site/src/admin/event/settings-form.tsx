import { type Entropy, furthestDateMs } from '../../../../core/event/event.ts'
import { isFormUrl } from '../../../../core/prize/claim.ts'
import { t } from '../language/t.ts'
import type { AdminConfig } from '../session/types.ts'
import { inWords } from '../ui/dates.ts'
import { custom, url, utcDate, whole } from '../ui/fields.tsx'
import { EntropyChoice, entropyTexts } from './EntropyChoice.tsx'
import { walletField } from './OperatorWallet.tsx'

/** The highest minimum that an event can have. */
export const highestMinimum = 10_000_000
/** Below the date, in this order. */
export const countFields = ['minTicketsForDraw'] as const

/** The settings of an event; `now` in milliseconds by the server's clock, 0 while it is not known. */
export const settingsFields = (event: AdminConfig, now: number) => ({
  drawDate: utcDate({
    ...{ label: t('추첨 일시 (UTC)'), name: t('추첨 일시') },
    locked: lockedText(event, 'drawDate'),
    hint: t('비워 두면 추첨 없이 판매만 합니다.'),
    check: (date) => wrongDrawDate(date, event.saleLeadSeconds, now),
  }),
  minTicketsForDraw: whole({
    label: t('최소 참여 인원'),
    ...{ min: 1, max: highestMinimum, suffix: t('장') },
    isNeeded: true,
    locked: lockedText(event, 'minTicketsForDraw'),
    hint: t('추첨 시각에 이보다 적게 팔리면 전액 환불로 바뀝니다.'),
  }),
  entropy: custom<Entropy, Entropy>({
    label: t('추첨 난수'),
    locked: event.isOver
      ? t('다음 이벤트의 추첨 방식은 “다음 이벤트”에서 정합니다.')
      : lockedText(event, 'entropy'),
    show: (saved) => saved as Entropy,
    read: (value) => ({ value }),
    text: (value) => entropyTexts[value].name,
    draw: (input) => <EntropyChoice {...input} />,
  }),
  operatorWallet: walletField(event),
  googleFormUrl: url({
    ...{ label: 'Google Form URL', name: t('배송 양식 URL'), placeholder: 'https://forms.gle/…' },
    hint: t('비워 두면 당첨자 화면에 버튼이 나타나지 않습니다. 쓸 수 있는 주소: {formHosts}', {
      formHosts: event.formHosts.join(', '),
    }),
    isAllowed: (typed) => isFormUrl(typed, event.formHosts),
    otherwise: t('{hosts} 주소만 쓸 수 있습니다.', { hosts: event.formHosts.join(', ') }),
  }),
})
export type SettingsFields = ReturnType<typeof settingsFields>

/** Why a field is shut; a form of an event that is over opens the next one. */
function lockedText(event: AdminConfig, field: keyof AdminConfig['locks']): string | undefined {
  const reason = event.isOver ? undefined : event.locks[field]
  if (reason === 'ticket') return t('첫 티켓이 판매된 때부터 잠겼습니다.')
  if (reason !== 'saleEnd') return undefined
  return event.saleEndDate
    ? t('판매가 끝난 {at}부터 잠겼습니다.', { at: inWords(event.saleEndDate) })
    : t('판매가 끝난 때부터 잠겼습니다.')
}

export function wrongDrawDate(date: string | null, leadSeconds: number, now: number): string | undefined {
  if (date === null || now === 0) return undefined
  const moment = Date.parse(date)
  if (moment - leadSeconds * 1000 <= now)
    return t('판매 종료 시각이 이미 지났습니다. 더 늦은 추첨 일시를 입력하세요.')
  return moment > now + furthestDateMs ? t('추첨 일시는 180일 안이어야 합니다.') : undefined
}
