import { loadNextContent, loadOpenContent } from '../content/content-source.ts'
import { rich } from '../language/rich.tsx'
import { t } from '../language/t.ts'
import { type AdminConfig, api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Address } from '../ui/address.tsx'
import { confirm } from '../ui/Dialog.tsx'
import { type Change, type Draft, differencesOf, draftOf } from '../ui/draft.ts'
import { checksummed } from '../ui/fields.tsx'
import { besideUtc, count, fromField, toField } from '../ui/format.ts'
import listStyles from '../ui/list.module.css'
import { PromisedContent } from './promises.tsx'
import type { SettingsFields } from './settings-form.tsx'

type Asked = {
  event: AdminConfig
  fields: SettingsFields
  draft: Draft<SettingsFields>
  changes: readonly Change<SettingsFields>[]
}

/**
 * Says what saving will do; a changed form URL needs no confirmation. Answers with what was agreed to beside the form:
 * the content of the event that it opens. Undefined: not agreed.
 */
export async function confirmSettings(asked: Asked): Promise<{ contentVersion?: number } | undefined> {
  const { event, fields, draft, changes } = asked
  const has = (name: keyof SettingsFields) => changes.some((change) => change.name === name)
  if (has('operatorWallet') && !(await confirmWallet(draft.operatorWallet))) return undefined
  if (changes.every(({ name }) => name === 'operatorWallet' || name === 'googleFormUrl')) return {}
  const date = fromField(draft.drawDate)
  const isNext = event.isOver && has('drawDate') && date !== undefined
  const [prepared, content, open] = isNext
    ? await Promise.all([call(() => api.raffle['next-terms'].get()), loadNextContent(), loadOpenContent()])
    : []
  const rest = changes.map(({ name }) => name).filter((name) => !askedApart.has(name))
  const isAgreed = await confirm({
    title: isNext
      ? t('이벤트 {eventNumber} 시작', { eventNumber: event.eventNumber + 1 })
      : t('추첨 조건 변경'),
    action: isNext ? t('보관하고 시작') : t('변경 저장'),
    body: (
      <ul className={listStyles.plain}>
        {isNext && (
          <li>
            {t(
              '이벤트 {eventNumber}의 기록이 보관되고 이벤트 {next}의 판매가 바로 시작됩니다. 되돌릴 수 없습니다.',
              { eventNumber: event.eventNumber, next: event.eventNumber + 1 },
            )}
          </li>
        )}
        {has('drawDate') && <Dates date={date} leadSeconds={event.saleLeadSeconds} />}
        {content && open && <PromisedContent content={content.next} last={open.content} />}
        {prepared?.savedAt && (
          <li>
            {t('“다음 이벤트”에 저장한 초안이 적용됩니다. 여기에 입력한 값이 초안보다 먼저입니다.')}
            {!has('minTicketsForDraw') &&
              ` ${t('최소 참여 인원: {minTicketsForDraw}장.', { minTicketsForDraw: count(prepared.next.minTicketsForDraw) })}`}
          </li>
        )}
        {differencesOf(fields, draftOf(fields, event), draft, rest).map(({ label, to }) => (
          <li key={label}>{`${label}: ${to}`}</li>
        ))}
        <li>{t('바뀐 내용은 공개 변경 기록에 남습니다.')}</li>
      </ul>
    ),
  })
  if (!isAgreed) return undefined
  return content ? { contentVersion: content.version } : {}
}

/** What has a question, or lines, of its own. */
const askedApart = new Set<string>(['drawDate', 'operatorWallet', 'googleFormUrl'])

/** The moments that a draw date brings. */
export function Dates({ date, leadSeconds }: { date: Date | undefined; leadSeconds: number }) {
  if (!date)
    return <li>{t('추첨 일시를 지웁니다. 공개 페이지에 “Not Set”으로 나타나고 판매는 계속됩니다.')}</li>
  const end = new Date(date.getTime() - leadSeconds * 1000)
  const shown = (moment: Date) => ({
    utc: <b className="figure">{toField(moment.toISOString())} UTC</b>,
    korea: besideUtc(moment),
  })
  return (
    <>
      <li>{rich('추첨: {utc} (한국 {korea})', shown(date))}</li>
      <li>{rich('판매 종료: {utc} (한국 {korea})', shown(end))}</li>
    </>
  )
}

const confirmWallet = (wallet: string): Promise<boolean> =>
  confirm({
    title: t('운영자 지갑 변경'),
    tone: 'danger',
    action: t('지갑 변경'),
    typed: {
      label: t('확인을 위해 주소의 마지막 4자리를 입력하세요'),
      value: (checksummed(wallet) ?? '').slice(-4),
    },
    body: (
      <>
        <p>
          {t('앞으로 구매자의 USDT가 모두 이 주소로 갑니다. 한 글자라도 다르면 돈을 되찾을 수 없습니다.')}
        </p>
        <Address value={checksummed(wallet) ?? wallet} label={t('새 지갑 주소 복사')} withCopy={false} />
        <p>{t('첫 티켓이 판매되면 잠깁니다. 바뀐 주소는 공개 변경 기록에 남습니다.')}</p>
      </>
    ),
  })
