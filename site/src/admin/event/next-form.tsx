import type { Entropy } from '../../../../core/event/event.ts'
import { contentFields } from '../content/content-fields.ts'
import { t } from '../language/t.ts'
import type { NextTerms } from '../session/types.ts'
import { spanText } from '../ui/dates.ts'
import type { Body } from '../ui/draft.ts'
import { choice, custom, multiLine, text, utcDate, whole } from '../ui/fields.tsx'
import { count } from '../ui/numbers.ts'
import { EntropyChoice, entropyTexts } from './EntropyChoice.tsx'
import { PrizeImage } from './PrizeImage.tsx'
import { highestMinimum, wrongDrawDate } from './settings-form.tsx'

/** The terms that a draft can choose; an empty one is left to the server or the event before. */
export const termFields = ({ current, next }: Pick<NextTerms, 'current' | 'next'>, now: number) => ({
  drawDate: utcDate({
    ...{ label: t('추첨 일시 (UTC)'), name: t('추첨 일시'), isAlwaysChecked: true },
    hint: t('판매는 추첨 {saleLeadSeconds} 전에 끝납니다.', {
      saleLeadSeconds: spanText(next.saleLeadSeconds),
    }),
    check: (date) => wrongDrawDate(date, next.saleLeadSeconds, now),
  }),
  minTicketsForDraw: whole({
    label: t('최소 참여 인원'),
    ...{ min: 1, max: highestMinimum, suffix: t('장') },
    hint: t('비워 두면 지금 이벤트처럼 {minTicketsForDraw}장입니다.', {
      minTicketsForDraw: count(current.minTicketsForDraw),
    }),
  }),
  autoDraw: choice<'' | 'on' | 'off', boolean | null>({
    label: t('추첨 시작'),
    hint: t('관리자가 직접 시작해도 당첨 번호는 달라지지 않습니다.'),
    options: { '': t('서버 설정대로'), on: t('추첨 시각에 자동으로'), off: t('관리자가 직접') },
    toBody: (typed) => (typed === '' ? null : typed === 'on'),
    toChoice: (saved) => (typeof saved === 'boolean' ? (saved ? 'on' : 'off') : ''),
  }),
  claimDays: whole({
    label: t('경품 수령 기한'),
    ...{ min: 7, max: 90, suffix: t('일') },
    hint: t('7일에서 90일. 비워 두면 서버 설정을 따릅니다.'),
  }),
  entropy: custom<'' | Entropy, Entropy | null>({
    label: t('추첨 난수'),
    show: (saved) => (saved as Entropy | null) ?? '',
    read: (typed) => ({ value: typed || null }),
    text: (typed) => (typed ? entropyTexts[typed].name : ''),
    draw: (input) => <EntropyChoice {...input} unset={t('블록 해시 5개로 추첨합니다.')} />,
  }),
})

/** What the public page's “Next Event” says. */
export const noticeFields = {
  prizeImageUrl: custom<string, string | null>({
    label: t('상품 이미지'),
    show: (saved) => (saved as string | null) ?? '',
    read: (typed) => ({ value: typed || null }),
    draw: (input) => <PrizeImage {...input} />,
  }),
  prizeValue: text({
    ...{ label: t('상품 가치'), max: 100, placeholder: '$3,000' },
    hint: t('$가 없으면 앞에 붙여 보여줍니다.'),
  }),
  eventStartDate: utcDate({
    ...{ label: t('이벤트 시작 (UTC)'), name: t('시작 일시') },
    hint: t('비워 두면 보여주지 않습니다.'),
  }),
  prizeDescription: multiLine({
    ...{ label: t('상품 설명'), rows: 4, max: 5_000 },
    hint: (typed) => t('{count} / 5,000자', { count: count(typed.length) }),
  }),
}

export const nextFields = (terms: NextTerms, now: number) => ({
  ...noticeFields,
  ...termFields(terms, now),
  ...contentFields,
})
export type NextFields = ReturnType<typeof nextFields>

/** The draft of the terms as the API takes it, as a whole: winners and prizes follow from the content. */
export const termsBody = (body: Body<ReturnType<typeof termFields>>, version: number) => ({
  drawDate: body.drawDate ?? null,
  minTicketsForDraw: body.minTicketsForDraw ?? null,
  autoDraw: body.autoDraw ?? null,
  claimDays: body.claimDays ?? null,
  entropy: body.entropy ?? null,
  ...{ winners: null, prizes: null, version },
})
