import { Address } from '../frame/Address.tsx'
import { api } from '../frame/api.ts'
import { confirm } from '../frame/confirm.ts'
import { fromField, inKorea, toField } from '../frame/dates.ts'
import { count } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import type { AdminConfig } from '../frame/types.ts'
import { entropyTexts } from './EntropyChoice.tsx'
import { checksummed, type SettingsChange, type SettingsDraft } from './settings-form.ts'

/** Says what saving will do; a changed form URL needs no confirmation. */
export async function confirmSettings(
  event: AdminConfig,
  draft: SettingsDraft,
  changes: readonly SettingsChange[],
): Promise<boolean> {
  const has = (name: keyof SettingsDraft) => changes.some((change) => change.name === name)
  if (has('wallet') && !(await confirmWallet(draft.wallet))) return false
  if (changes.every(({ name }) => name === 'wallet' || name === 'formUrl')) return true
  const date = fromField(draft.drawDate)
  const isNext = event.isOver && has('drawDate') && date !== undefined
  const prepared = isNext ? await call(() => api.raffle['next-terms'].get()) : undefined
  const end = date && new Date(date.getTime() - event.saleLeadSeconds * 1000)
  return confirm({
    title: isNext ? `이벤트 ${event.eventNumber + 1} 시작` : '추첨 조건 변경',
    action: isNext ? '보관하고 시작' : '변경 저장',
    body: (
      <ul className="plain-list">
        {isNext && (
          <li>
            이벤트 {event.eventNumber}의 기록이 보관되고 이벤트 {event.eventNumber + 1}의 판매가 바로
            시작됩니다. 되돌릴 수 없습니다.
          </li>
        )}
        {has('drawDate') &&
          (date && end ? (
            <>
              <li>
                추첨: <b className="figure">{toField(date.toISOString())} UTC</b> (한국 {inKorea(date)})
              </li>
              <li>
                판매 종료: <b className="figure">{toField(end.toISOString())} UTC</b> (한국 {inKorea(end)})
              </li>
            </>
          ) : (
            <li>추첨 일시를 지웁니다. 공개 페이지에 “Not Set”으로 나타나고 판매는 계속됩니다.</li>
          ))}
        {prepared?.savedAt && (
          <li>
            “다음 이벤트”에 저장한 초안이 적용됩니다. 여기에 입력한 값이 초안보다 먼저입니다.
            {!has('minTickets') && ` 최소 참여 인원: ${count(prepared.next.minTicketsForDraw)}장.`}
          </li>
        )}
        {has('minTickets') && <li>최소 참여 인원: {count(Number(draft.minTickets))}장</li>}
        {has('entropy') && <li>추첨 난수: {entropyTexts[draft.entropy].name}</li>}
        {has('winners') && <li>당첨자 수: {count(Number(draft.winners))}명</li>}
        <li>바뀐 내용은 공개 변경 기록에 남습니다.</li>
      </ul>
    ),
  })
}

const confirmWallet = (wallet: string): Promise<boolean> =>
  confirm({
    title: '운영자 지갑 변경',
    tone: 'danger',
    action: '지갑 변경',
    typed: {
      label: '확인을 위해 주소의 마지막 4자리를 입력하세요',
      value: (checksummed(wallet) ?? '').slice(-4),
    },
    body: (
      <>
        <p>앞으로 구매자의 USDT가 모두 이 주소로 갑니다. 한 글자라도 다르면 돈을 되찾을 수 없습니다.</p>
        <Address value={checksummed(wallet) ?? wallet} label="새 지갑 주소 복사" withCopy={false} />
        <p>첫 티켓이 판매되면 잠깁니다. 바뀐 주소는 공개 변경 기록에 남습니다.</p>
      </>
    ),
  })
