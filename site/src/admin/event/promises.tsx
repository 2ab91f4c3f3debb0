import type { EventContent } from '../../../../core/content/event-content.ts'
import { termsOfContent } from '../../../../core/content/promised.ts'
import { usdt } from '../../../../core/money.ts'
import type { PrizeKind } from '../../../../core/prize/promise.ts'
import { Stack } from '../../shell/Layout.tsx'
import { contentFields } from '../content/content-draft.ts'
import { loadNextContent, loadOpenContent } from '../content/content-source.ts'
import { language, rich, t, words } from '../language/t.ts'
import { type AdminConfig, api, call, type NextTerms } from '../session/session.ts'
import { confirm } from '../ui/action.tsx'
import { Address, Copied } from '../ui/address.tsx'
import { type Change, changesBetween, type Draft, differencesOf, draftOf } from '../ui/draft.ts'
import { checksummed } from '../ui/fields.tsx'
import { besideUtc, count, fromField, inWords, spanText, toField } from '../ui/format.ts'
import listStyles from '../ui/list.module.css'
import type { SettingsFields } from './settings-form.tsx'

export const prizesLine = (
  promises: readonly { kind: PrizeKind; amount?: number | null | undefined }[],
): string =>
  promises.map(({ kind, amount }) => (kind === 'goods' ? t('물건') : `${usdt(amount ?? 0)} USDT`)).join(' · ')

const date = (iso: string | null) => (iso ? `${toField(iso)} UTC` : t('설정 안 됨'))
const rows: [string, (terms: NextTerms['next']) => string][] = [
  [t('추첨 일시'), ({ drawDate }) => date(drawDate)],
  [t('판매 종료'), ({ saleEndDate }) => date(saleEndDate)],
  [t('최소 참여 인원'), ({ minTicketsForDraw }) => t('{number}장', { number: count(minTicketsForDraw) })],
  [t('추첨 시작'), ({ autoDraw }) => (autoDraw ? t('추첨 시각에 자동으로') : t('관리자가 직접'))],
  [t('추첨 난수'), ({ entropy }) => words.entropies[entropy].name],
  [t('당첨자 수'), ({ winners }) => t('{winners}명', { winners })],
  [t('경품'), ({ prizes }) => prizesLine(prizes)],
  [t('경품 수령 기한'), ({ claimDays }) => t('{claimDays}일', { claimDays })],
]
const ofServer: typeof rows = [
  [t('티켓 가격'), ({ ticketPrice }) => `${ticketPrice} USDT`],
  [t('판매 종료부터 추첨까지'), ({ saleLeadSeconds }) => spanText(saleLeadSeconds)],
  [t('체인'), ({ chainId }) => `${chainId}`],
  [t('토큰'), ({ tokenAddress }) => tokenAddress],
  [t('운영자 지갑'), ({ operatorWallet }) => operatorWallet ?? t('설정 안 됨')],
]

export function NextPromises({ terms }: { terms: NextTerms }) {
  const { current, next, eventNumber, savedAt } = terms
  const list = (of: typeof rows) => (
    <dl className="summary">
      {of.map(([name, shown]) => (
        <Term key={name} name={name} before={shown(current)} after={shown(next)} />
      ))}
    </dl>
  )
  return (
    <details>
      <summary>{t('이벤트 {eventNumber}의 조건', { eventNumber })}</summary>
      <Stack>
        <p className="hint">
          {savedAt
            ? t('{savedAt}에 저장한 초안입니다.', { savedAt: inWords(savedAt) })
            : t('저장한 초안이 없습니다.')}{' '}
          {t('줄이 그어진 값은 지금 이벤트 {eventNumber}의 조건입니다.', { eventNumber: eventNumber - 1 })}
        </p>
        {list(rows)}
        <p className="hint">{t('다음은 서버 설정을 따르며 초안으로 바꿀 수 없습니다.')}</p>
        {list(ofServer)}
        <h3>{t('조건 문장')}</h3>
        <p className="hint">
          {t('지금 시작한다면 구매자와 체인에 남을 문장입니다. 판매 시작 시각은 시작하는 순간에 정해집니다.')}
        </p>
        <Copied text={terms.terms} label={t('조건 문장 복사')} />
      </Stack>
    </details>
  )
}

const Term = ({ name, before, after }: { name: string; before: string; after: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {before !== after && <s className="faint">{before}</s>}{' '}
      {after.startsWith('0x') ? (
        <Address value={after} label={t('{name} 복사', { name })} withCopy={false} />
      ) : (
        after
      )}
    </dd>
  </div>
)

type Promised = { content: EventContent | null; last: EventContent | null }

export function PromisedContent({ content, last }: Promised) {
  if (!content) return null
  const [before, after] = [draftOf(contentFields, last ?? {}), draftOf(contentFields, content)]
  const changed = new Set<string>(changesBetween(contentFields, before, after).map(({ name }) => name))
  const kept = Object.entries(contentFields).filter(([name]) => name !== 'links' && !changed.has(name))
  return (
    <>
      <li>
        {rich('제목: {title} · 당첨자 {winners}명', {
          title: <b>{content.title[language].replaceAll('\n', ' ')}</b>,
          winners: termsOfContent(content).winners,
        })}
      </li>
      {kept.length > 0 && (
        <li>
          <b>
            {t('지난 이벤트와 같은 글: {parts}', { parts: kept.map(([, { label }]) => label).join(', ') })}
          </b>
        </li>
      )}
    </>
  )
}

export type Archived = { archived?: number | undefined; eventNumber: number }

export const archivedText = ({ archived = 0, eventNumber }: Archived): string =>
  t('이벤트 #{archived}의 기록이 보관되고 이벤트 #{opened}의 판매가 시작되었습니다.', {
    ...{ archived: `${archived}`, opened: `${eventNumber}` },
  })

type Asked = {
  event: AdminConfig
  fields: SettingsFields
  draft: Draft<SettingsFields>
  changes: readonly Change<SettingsFields>[]
}

/** Says what saving will do. Answers with the content of the event that it opens, if any. Undefined: not agreed. */
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
      <ul className={`stack gap-8 ${listStyles.plain}`}>
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

const askedApart = new Set<string>(['drawDate', 'operatorWallet', 'googleFormUrl'])

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
