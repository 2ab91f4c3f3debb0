import { useState } from 'react'
import type { EventContent } from '../../../../core/content/event-content.ts'
import type { Entropy } from '../../../../core/event/event.ts'
import { claimDaysRange, minTicketsRange, mostLetters } from '../../../../core/event/ranges.ts'
import type { PublicEventSettings } from '../../../../core/live/public.ts'
import { Row } from '../../shell/Layout.tsx'
import { contentFields } from '../content/content-draft.ts'
import {
  discardContent,
  loadNextContent,
  loadOpenContent,
  saveNextContent,
} from '../content/content-source.ts'
import { Uploads } from '../content/Uploads.tsx'
import { t, words } from '../language/t.ts'
import { api, call, type NextTerms } from '../session/session.ts'
import { Button } from '../ui/action.tsx'
import type { Body } from '../ui/draft.ts'
import { Field } from '../ui/Field.tsx'
import { choice, custom, type Input, multiLine, text, utcDate, whole } from '../ui/fields.tsx'
import { count, spanText } from '../ui/format.ts'
import styles from './event.module.css'
import { EntropyChoice, wrongDrawDate } from './settings-form.tsx'

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
    text: (typed) => (typed ? words.entropies[typed].name : ''),
    draw: (input) => <EntropyChoice {...input} unset={t('블록 해시 5개로 추첨합니다.')} />,
  }),
})

/** @internal */
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

/** @internal */
export const termsBody = (body: Body<ReturnType<typeof termFields>>, version: number) => {
  const {
    drawDate = null,
    minTicketsForDraw = null,
    autoDraw = null,
    claimDays = null,
    entropy = null,
  } = body
  return { drawDate, minTicketsForDraw, autoDraw, claimDays, entropy, version }
}

type PictureProps = Input<string> & { label?: string }

export function PrizeImage({ value: url, set, error, label = t('상품 이미지') }: PictureProps) {
  const [broken, setBroken] = useState('')
  return (
    <Field label={label} error={error} hint={t('JPG 또는 PNG, 최대 5MB, 한 개')}>
      {(ids) => (
        <Row gap={20}>
          <div className={`center ${styles.preview}`}>
            {url && url !== broken ? (
              <img src={url} alt={t('상품 미리보기')} onError={() => setBroken(url)} />
            ) : (
              <span className="hint">{url ? t('이미지를 불러올 수 없습니다') : t('이미지 없음')}</span>
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
        </Row>
      )}
    </Field>
  )
}

const terms = api.raffle['next-terms']
const { settings } = api.event

export type NextEvent = {
  terms: NextTerms
  saved: NextTerms['draft'] & EventContent & PublicEventSettings & { eventNumber: number }
  /** Without a draft the next event takes over the content of the open one. */
  isContentDrafted: boolean
  last: EventContent
  version: string
}

type Versions = { terms: number; content: number; settings: string | null }
const versionOf = (versions: Versions): string => JSON.stringify(versions)
const versionsIn = (version: string) => JSON.parse(version) as Versions

export async function loadNextEvent(): Promise<NextEvent> {
  const [found, content, open, announced] = await Promise.all([
    call(() => terms.get()),
    loadNextContent(),
    loadOpenContent(),
    call(() => settings.get()),
  ])
  const last = open.content as EventContent
  const { eventNumber } = found
  return {
    ...{ terms: found, last, isContentDrafted: content.draft !== null },
    saved: { ...found.draft, ...(content.draft ?? content.next ?? last), ...announced, eventNumber },
    version: versionOf({ terms: found.version, content: content.version, settings: announced.updatedAt }),
  }
}

/** Saves the parts that were changed, one after another; answers with the version that a next saving begins from. */
export async function saveNextEvent(
  { version, ...body }: Body<NextFields> & { version: string },
  { changed, undone }: { changed: readonly string[]; undone?: NextEvent | undefined },
): Promise<string> {
  const versions = versionsIn(version)
  const isOf = (fields: object, name: string) => Object.hasOwn(fields, name)
  const notices = changed.filter((name) => isOf(noticeFields, name))
  if (changed.some((name) => !isOf(noticeFields, name) && !isOf(contentFields, name)))
    versions.terms =
      undone?.terms.savedAt === null
        ? await discardTerms(versions.terms)
        : (await call(() => terms.put(termsBody(body, versions.terms)))).version
  if (changed.some((name) => isOf(contentFields, name))) {
    const { title, lead, summary, prizes, shipping, links } = body as Required<typeof body>
    const content = { title, lead, summary, prizes, shipping, links }
    const saved = await (undone && !undone.isContentDrafted
      ? discardContent(versions.content)
      : saveNextContent(content, versions.content))
    versions.content = saved.version
  }
  if (notices.length > 0) {
    const written = Object.fromEntries(Object.entries(body).filter(([name]) => notices.includes(name)))
    const isActive = undone?.saved.isActive ?? true
    const saved = await call(() => settings.post({ ...written, isActive, version: versions.settings }))
    versions.settings = saved.updatedAt
  }
  return versionOf(versions)
}

const discardTerms = async (version: number): Promise<number> =>
  (await call(() => terms.delete(undefined, { query: { version: `${version}` } }))).version

export async function discardNextEvent({ terms, isContentDrafted, version }: NextEvent): Promise<void> {
  const versions = versionsIn(version)
  if (terms.savedAt !== null) await discardTerms(versions.terms)
  if (isContentDrafted) await discardContent(versions.content)
}

/** Archives the event that is over and opens the next one: with the drafts that were seen, or not at all. */
export function openNextEvent({ version }: NextEvent) {
  const versions = versionsIn(version)
  return call(() =>
    api.raffle['open-next'].post({ version: versions.terms, contentVersion: versions.content }),
  )
}
