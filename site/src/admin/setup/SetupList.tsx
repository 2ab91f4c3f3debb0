import { useStore } from '@nanostores/react'
import downIcon from 'lucide-static/icons/chevron-down.svg?raw'
import upIcon from 'lucide-static/icons/chevron-up.svg?raw'
import { useState } from 'react'
import type { Answer } from '../../shell/answers.ts'
import { storage } from '../../shell/storage.ts'
import { $isOpenWanted } from '../content/content-source.ts'
import { t } from '../language/t.ts'
import { $event } from '../session/config.ts'
import { $username, api, call } from '../session/session.ts'
import { Button } from '../ui/action.tsx'
import { ListCard } from '../ui/card.tsx'
import { useResource } from '../ui/resource.tsx'
import { openTab, type TabId } from '../ui/tab.ts'
import styles from './SetupList.module.css'

const lookEveryMs = 10_000

/** What is left to be done before the first buyer comes; gone once all of it is. Each administrator can put it away. */
export function SetupList() {
  const username = useStore($username)
  const { data } = useResource(() => call(() => api.setup.get()), { everyMs: lookEveryMs })
  if (!username || !data?.steps.some(({ state }) => state === 'open')) return null
  return <List key={username} username={username} setup={data} />
}

function List({ username, setup: { steps, isLocal } }: { username: string; setup: Setup }) {
  const [isAway, setAway] = useState(() => isPutAway(username))
  const needed = steps.filter(({ state }) => state !== 'spare')
  const done = needed.filter(({ state }) => state === 'done').length
  const turn = () => {
    putAway(username, !isAway)
    setAway(!isAway)
  }
  return (
    <ListCard
      title={t('첫 설정')}
      reason={
        isAway
          ? undefined
          : isLocal
            ? t('이 컴퓨터에서 시험할 때 필요한 것만 세었습니다. 끝난 일은 저절로 사라집니다.')
            : t('판매를 시작하기 전에 할 일입니다. 끝난 일은 저절로 사라집니다.')
      }
      actions={
        <>
          <span className="muted size-14">{t('{all}개 중 {done}개 완료', { all: needed.length, done })}</span>
          <Button
            tone="edged"
            size="small"
            icon={isAway ? downIcon : upIcon}
            aria-expanded={!isAway}
            onClick={turn}
          >
            {isAway ? t('펼치기') : t('접어 두기')}
          </Button>
        </>
      }
    >
      {!isAway && (
        <ol className={styles.steps}>
          {needed.flatMap(({ step, state }) => (state === 'open' ? [<Step key={step} step={step} />] : []))}
        </ol>
      )}
    </ListCard>
  )
}

/** What it is for, and the button that leads to where it is done; a backup belongs on another machine. */
function Step({ step }: { step: SetupStep }) {
  const { title, why, button } = setupWords[step]
  const [isTold, setTold] = useState(false)
  const act = () => (step === 'backup' ? setTold(!isTold) : void goToStep(step))
  return (
    <li className="row spread" data-step={step}>
      <div>
        <h3>{title}</h3>
        <p>{why}</p>
        {isTold && (
          <p>
            {t(
              '서버의 .env에 RESTIC_REPOSITORY와 RESTIC_PASSWORD를 정하면 백업 서비스가 매시간 만들어 보냅니다. 직접 만들려면 서버에서:',
            )}{' '}
            <code>bun run backup</code>
          </p>
        )}
      </div>
      <Button
        tone="edged"
        size="small"
        aria-label={`${title}: ${button}`}
        {...(step === 'backup' && { 'aria-expanded': isTold })}
        onClick={act}
      >
        {button}
      </Button>
    </li>
  )
}

const keyOf = (username: string): string => `blockdraw:setup-away:${username.toLowerCase()}`

const isPutAway = (username: string): boolean =>
  storage.read(keyOf(username), (value): value is 1 => value === 1) !== undefined
const putAway = (username: string, isAway: boolean) => storage.write(keyOf(username), isAway ? 1 : undefined)

type Setup = Answer<'get', '/api/admin/setup'>
type SetupStep = Setup['steps'][number]['step']

type Words = { title: string; why: string; button: string }

const setupWords: Record<SetupStep, Words> = {
  password: {
    title: t('비밀번호 변경'),
    why: t('인쇄된 비밀번호는 하루만 쓸 수 있습니다. 직접 정한 것으로 바꾸세요.'),
    button: t('계정 관리 열기'),
  },
  otp: {
    title: t('2단계 인증(OTP)'),
    why: t('비밀번호가 새어도 다른 사람이 들어올 수 없게 합니다.'),
    button: t('2단계 인증 설정'),
  },
  addresses: {
    title: t('접속 허용 IP 주소'),
    why: t('정해진 곳에서만 관리자 화면에 들어올 수 있게 합니다.'),
    button: t('주소 정하기'),
  },
  wallet: {
    title: t('운영자 지갑 소유 증명'),
    why: t('구매자의 돈을 받을 지갑입니다. 그 지갑으로 서명해서 열쇠가 있음을 확인하세요.'),
    button: t('지갑으로 가기'),
  },
  providers: {
    title: t('서로 다른 RPC 제공자 두 곳'),
    why: t('한 곳만 말하는 것은 믿지 않습니다. RPC_URLS에 적은 두 곳이 모두 응답해야 합니다.'),
    button: t('연결 상태 보기'),
  },
  anchor: {
    title: t('자동 기록용 키'),
    why: t('추첨 전에 티켓 명단을 체인에 남깁니다. ANCHOR_KEY를 정하고 가스비로 쓸 BNB를 보내세요.'),
    button: t('키 상태 보기'),
  },
  backup: {
    title: t('백업'),
    why: t('사흘 안에 만든 백업이 있어야 합니다.'),
    button: t('방법 보기'),
  },
  alert: {
    title: t('알림 도착 확인'),
    why: t('채널을 하나 추가하고 시험 알림을 받아 보세요. 문제가 생기면 바로 알 수 있습니다.'),
    button: t('알림으로 가기'),
  },
  content: {
    title: t('이벤트 내용'),
    why: t('지금은 처음부터 들어 있던 예시입니다. 제목과 경품을 직접 적어 저장하세요.'),
    button: t('내용 쓰기'),
  },
  date: {
    title: t('추첨 일시'),
    why: t('날짜를 정하면 판매 종료 시각이 함께 정해지고 카운트다운이 시작됩니다.'),
    button: t('날짜 정하기'),
  },
}

type Place = { tab: TabId; id?: string }

/** Where each step is done; `id` is a part of that tab. */
const places: Record<Exclude<SetupStep, 'backup'>, Place> = {
  password: { tab: 'account' },
  otp: { tab: 'security' },
  addresses: { tab: 'security' },
  wallet: { tab: 'config', id: 'operator-wallet' },
  providers: { tab: 'blockchain' },
  anchor: { tab: 'winner' },
  alert: { tab: 'security', id: 'notify' },
  content: { tab: 'config', id: 'content-open' },
  date: { tab: 'config', id: 'draw-date' },
}

const lookMs = 50
const givesUpMs = 10_000

/** Opens the tab, and once its part is there brings that into view; the keyboard goes on from there. */
export async function goToStep(step: keyof typeof places): Promise<void> {
  const { tab, id } = step === 'content' ? contentPlace() : places[step]
  openTab(tab)
  const place = await found(id ? `#${id}` : '#main h1')
  if (!place) return
  if (place instanceof HTMLDetailsElement) place.open = true
  const within = place.querySelector('form') ?? place
  const field = within.querySelector<HTMLElement>('input:not([readonly]), textarea, button')
  if (id) place.scrollIntoView({ block: 'start' })
  ;(field ?? place).focus({ preventScroll: id !== undefined })
}

/** Once a ticket is sold, the next event's is the first that can be written. */
function contentPlace(): Place {
  if ($event.get()?.lockedAt) return { tab: 'event', id: 'content-next' }
  $isOpenWanted.set(true)
  return places.content
}

/** A tab loads what it shows first. */
async function found(selector: string): Promise<HTMLElement | undefined> {
  for (let waited = 0; waited < givesUpMs; waited += lookMs) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
    const place = document.querySelector<HTMLElement>(selector)
    if (place) return place
  }
  return undefined
}
