import { useStore } from '@nanostores/react'
import ipaddr from 'ipaddr.js'
import eyeIcon from 'lucide-static/icons/eye.svg?raw'
import { type ReactNode, useEffect } from 'react'
import type { PublicState } from '../../../../core/live/public.ts'
import { $now } from '../../live/clock.ts'
import { $config, $link, $live, $recent, $stats } from '../../live/live.ts'
import { hasWinner } from '../../live/stage.ts'
import { Row } from '../../shell/Layout.tsx'
import { AccountTab } from '../account/AccountTab.tsx'
import { DrawTab } from '../draw/DrawTab.tsx'
import { EventTab } from '../event/EventTab.tsx'
import { SettingsTab } from '../event/SettingsTab.tsx'
import { DataTab } from '../exports/DataTab.tsx'
import { HistoryTab } from '../history/HistoryTab.tsx'
import { t } from '../language/t.ts'
import { BlockchainTab, CoverNote } from '../payments/BlockchainTab.tsx'
import { RefundTab } from '../refund/RefundTab.tsx'
import { SecurityTab } from '../security/SecurityTab.tsx'
import { followEvent } from '../session/config.ts'
import { $enrolment, $readOnly, answerOf, api } from '../session/session.ts'
import { putOff } from '../session/token.ts'
import { SetupList } from '../setup/SetupList.tsx'
import { Button, ConfirmDialog } from '../ui/action.tsx'
import { Badge, Figure, Figures, Note } from '../ui/card.tsx'
import { agoText, besideUtcShort, count, toField, usdt } from '../ui/format.ts'
import { useResource } from '../ui/resource.tsx'
import { $tab, openTab, type TabId, tabs } from '../ui/tab.ts'
import { Frame, useSiteName } from './Frame.tsx'
import { $facts, badgesOf, NeedsYou } from './NeedsYou.tsx'
import { Sidebar } from './Sidebar.tsx'

const panels: Record<TabId, () => ReactNode> = {
  config: SettingsTab,
  blockchain: BlockchainTab,
  winner: DrawTab,
  refund: RefundTab,
  data: DataTab,
  history: HistoryTab,
  account: AccountTab,
  event: EventTab,
  security: SecurityTab,
}

export function Dashboard() {
  const tab = useStore($tab)
  const mustEnrol = useStore($enrolment) === 'due'
  const live = useStore($live)
  const link = useStore($link)
  const now = useStore($now)
  const facts = useStore($facts)
  const name = useSiteName()

  useEffect(followEvent, [])
  useEffect(() => {
    if (mustEnrol) openTab('security')
  }, [mustEnrol])
  const current = tabs.find(({ id }) => id === tab) ?? tabs[0]
  useEffect(() => {
    document.title = `${current.title} · ${name}`
  }, [current, name])

  const state = eventState(live, now)
  const Panel = panels[tab]
  return (
    <Frame
      title={current.title}
      state={state && <Badge tone={state.tone}>{state.text}</Badge>}
      side={<Sidebar badges={badgesOf(facts)} />}
    >
      <Summary />
      {link === 'offline' && (
        <Note tone="bad" role="status">
          {t(
            '서버에 연결할 수 없습니다. 화면의 숫자는 마지막으로 받은 값이며, 연결을 계속 시도하고 있습니다.',
          )}
        </Note>
      )}
      <CoverNote />
      <ReadOnlyNote />
      <OwnAddress />
      <Enrolment />
      {!mustEnrol && tab === tabs[0].id && (
        <>
          <NeedsYou />
          <SetupList />
        </>
      )}
      {(!mustEnrol || tab === 'security') && (
        <div id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`} className="stack gap-20">
          <Panel key={tab} />
        </div>
      )}
      <ConfirmDialog />
    </Frame>
  )
}

function eventState(
  { config, drawStatus, winner }: Partial<PublicState>,
  now: number,
): { tone: 'ok' | 'wait' | 'bad'; text: string } | undefined {
  if (!config) return undefined
  const name = t('이벤트 {eventNumber}', { eventNumber: config.eventNumber })
  const isPast = (iso: string | null) => iso !== null && Date.parse(iso) <= now
  if (config.isRefundMode) return { tone: 'bad', text: t('{name} 환불 진행 중', { name }) }
  if (drawStatus?.isDrawing) return { tone: 'wait', text: t('{name} 추첨 중', { name }) }
  if (hasWinner(winner)) return { tone: 'ok', text: t('{name} 당첨자 발표됨', { name }) }
  if (isPast(config.drawDate)) return { tone: 'wait', text: t('{name} 추첨 대기', { name }) }
  if (isPast(config.saleEndDate)) return { tone: 'wait', text: t('{name} 판매 종료', { name }) }
  if (config.salesPaused) return { tone: 'bad', text: t('{name} 판매 일시 중지', { name }) }
  return { tone: 'ok', text: t('{name} 진행 중', { name }) }
}

/** @internal */
export function Summary() {
  const config = useStore($config)
  const stats = useStore($stats)
  const recent = useStore($recent)
  const now = useStore($now)
  const price = stats?.ticketPrice ?? 3
  const last = recent?.[0]
  const sold = stats?.ticketsSold
  const minimum = config?.minTicketsForDraw
  const missing = sold !== undefined && minimum !== undefined ? minimum - sold : undefined
  // There is no room for seconds; the settings show them.
  const date = toField(config?.drawDate).slice(0, 16)
  return (
    <Figures label={t('요약')}>
      <Figure name={t('판매된 티켓')} value={sold === undefined ? undefined : count(sold)}>
        {last
          ? t('마지막 구매 {now}', { now: agoText((now - Date.parse(last.createdAt)) / 1000) })
          : recent && t('구매 없음')}
      </Figure>
      <Figure
        name={t('총 수익 (USDT)')}
        value={sold === undefined ? undefined : usdt(sold * Math.round(price * 100))}
      >
        {t('티켓당 {price} USDT', { price })}
      </Figure>
      <Figure name={t('최소 참여 인원')} value={minimum === undefined ? undefined : count(minimum)}>
        {missing !== undefined &&
          (missing <= 0 ? t('최소 수량을 넘었습니다') : t('{missing}장 남음', { missing: count(missing) }))}
      </Figure>
      <Figure
        name={t('추첨 일시 (UTC)')}
        value={
          config &&
          (date ? (
            <>
              <span className="only-wide">{date.slice(0, 5)}</span>
              {date.slice(5)}
            </>
          ) : (
            t('설정 안 됨')
          ))
        }
      >
        {config?.drawDate
          ? t('한국 {date}', { date: besideUtcShort(config.drawDate) })
          : config && t('Not set · 판매 중')}
      </Figure>
    </Figures>
  )
}

/** Asks for a second factor after each login without one, which a trial on this machine may put off. @internal */
export function Enrolment() {
  const enrolment = useStore($enrolment)
  const isThere = useStore($tab) === 'security'
  if (enrolment === 'done') return null
  const mayWait = enrolment === 'asked'
  const later = () => {
    putOff(true)
    $enrolment.set('done')
  }
  return (
    <Note
      tone={mayWait ? 'plain' : 'bad'}
      role={mayWait ? 'status' : 'alert'}
      action={
        <Row gap={8}>
          {!isThere && (
            <Button size="small" onClick={() => openTab('security')}>
              {t('지금 설정')}
            </Button>
          )}
          {mayWait && (
            <Button tone="plain" size="small" onClick={later}>
              {t('나중에')}
            </Button>
          )}
        </Row>
      }
    >
      <b>{t('2단계 인증이 없습니다.')}</b>{' '}
      {mayWait
        ? t('지금은 비밀번호만 새어도 누구나 들어올 수 있습니다. OTP나 패스키를 설정하세요.')
        : t('OTP나 패스키를 설정해야 다른 메뉴를 쓸 수 있습니다.')}
    </Note>
  )
}

/** @internal */
export function ReadOnlyNote() {
  if (!useStore($readOnly)) return null
  return (
    <Note icon={eyeIcon}>
      <b>{t('읽기 전용')}</b> {t('모든 내용을 볼 수 있고, 바꾸는 버튼은 꺼져 있습니다.')}
    </Note>
  )
}

/** Warns where the server sees a proxy in place of this visitor: then all visitors share one address. */
function OwnAddress() {
  const { data } = useResource(() => answerOf(api['check-access'].get()))
  if (!data || !isProxyAddress(data.ip, location.hostname)) return null
  return (
    <Note tone="bad" role="status">
      <b>{t('서버가 이 접속을 내부 주소 {ip}(으)로 보고 있습니다.', { ip: data.ip })}</b>{' '}
      {t(
        '모든 방문자가 같은 주소로 보이면 접속 제한과 IP 화이트리스트가 제대로 동작하지 않습니다. TRUSTED_PROXIES와 CDN_PROXIES, 서버의 IPv6 설정을 확인해주세요. 내부 네트워크나 VPN으로 접속했다면 정상입니다.',
      )}
    </Note>
  )
}

const inside = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'])

const rangeOf = (text: string): string | undefined =>
  ipaddr.isValid(text) ? ipaddr.process(text).range() : undefined

/** An address from inside a network is a proxy's, unless the page was opened by an address of such a network. @internal */
export function isProxyAddress(ip: string, pageHost: string): boolean {
  const range = rangeOf(ip)
  if (range === undefined || !inside.has(range)) return false
  const own = pageHost === 'localhost' ? 'loopback' : rangeOf(pageHost.replace(/^\[|\]$/g, ''))
  return own === undefined || own !== range
}
