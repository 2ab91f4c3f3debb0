import imageIcon from 'lucide-static/icons/image.svg?raw'
import { useState } from 'react'
import type { Entropy } from '../../../../core/event/event.ts'
import { claimDaysRange, minTicketsRange, mostLetters } from '../../../../core/event/ranges.ts'
import { Icon } from '../../shell/Icon.tsx'
import { contentFields } from '../content/content-fields.ts'
import { Uploads } from '../content/Uploads.tsx'
import { t } from '../language/t.ts'
import type { NextTerms } from '../session/api.ts'
import { Button } from '../ui/Button.tsx'
import type { Body } from '../ui/draft.ts'
import { Field } from '../ui/Field.tsx'
import { choice, custom, type Input, multiLine, text, utcDate, whole } from '../ui/fields.tsx'
import { count, spanText } from '../ui/format.ts'
import styles from './event.module.css'
import { EntropyChoice, entropyTexts, wrongDrawDate } from './settings-form.tsx'

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
    ...{ ...minTicketsRange, suffix: t('장') },
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
    ...{ ...claimDaysRange, suffix: t('일') },
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
    ...{ label: t('상품 가치'), max: mostLetters.prizeValue, placeholder: '$3,000' },
    hint: t('$가 없으면 앞에 붙여 보여줍니다.'),
  }),
  eventStartDate: utcDate({
    ...{ label: t('이벤트 시작 (UTC)'), name: t('시작 일시') },
    hint: t('비워 두면 보여주지 않습니다.'),
  }),
  prizeDescription: multiLine({
    ...{ label: t('상품 설명'), rows: 4, max: mostLetters.prizeDescription },
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

type PictureProps = Input<string> & { label?: string }

/** One picture, uploaded at once, and shown to visitors when the form is saved. */
export function PrizeImage({ value: url, set, error, label = t('상품 이미지') }: PictureProps) {
  const [broken, setBroken] = useState('')
  return (
    <Field label={label} error={error} hint={t('JPG 또는 PNG, 최대 5MB, 한 개')}>
      {(ids) => (
        <div className={styles.field}>
          <div className={styles.preview}>
            {url && url !== broken ? (
              <img src={url} alt={t('상품 미리보기')} onError={() => setBroken(url)} />
            ) : (
              <span className={styles.none}>
                <Icon svg={imageIcon} />
                {url ? t('이미지를 불러올 수 없습니다') : t('이미지 없음')}
              </span>
            )}
          </div>
          <Uploads
            room={1}
            tooMany={t('이미지는 한 개만 올릴 수 있습니다.')}
            button={url ? t('다른 이미지') : t('이미지 선택')}
            input={ids}
            onDone={set}
          >
            {url && (
              <Button tone="plain" size="compact" onClick={() => set('')}>
                {t('이미지 빼기')}
              </Button>
            )}
            <span className="hint">{t('여기에 끌어다 놓아도 됩니다.')}</span>
          </Uploads>
        </div>
      )}
    </Field>
  )
}
