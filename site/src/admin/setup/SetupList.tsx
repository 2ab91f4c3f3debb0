import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { Answer } from '../../shell/answers.ts'
import { Muted } from '../../shell/Layout.tsx'
import { $isOpenWanted } from '../content/content-source.ts'
import { t, words } from '../language/t.ts'
import { $event } from '../session/config.ts'
import { api, call } from '../session/session.ts'
import { Button } from '../ui/action.tsx'
import { Folded } from '../ui/card.tsx'
import { useResource } from '../ui/resource.tsx'
import { openTab, type TabId } from '../ui/tab.ts'

const lookEveryMs = 10_000

export function SetupList() {
  const event = useStore($event)
  const { data } = useResource(() => call(() => api.setup.get()), {
    ...{ everyMs: lookEveryMs, key: `${event?.version}` },
  })
  const needed = data?.steps.filter(({ state }) => state !== 'spare') ?? []
  const done = needed.filter(({ state }) => state === 'done').length
  const open = needed.filter(({ state }) => state === 'open')
  const [next] = open
  if (!data || !next) return null
  return (
    <Folded
      title={t('첫 설정')}
      state={
        <Muted size={14}>
          {t('{all}개 중 {done}개 완료, 다음: {next}', {
            ...{ all: needed.length, done },
            next: words.setupSteps[next.step].title,
          })}
        </Muted>
      }
      reason={
        data.isLocal
          ? t('이 컴퓨터에서 시험할 때 필요한 것만 세었습니다. 끝난 일은 저절로 사라집니다.')
          : t('판매를 시작하기 전에 할 일입니다. 끝난 일은 저절로 사라집니다.')
      }
    >
      <ul className="rows">
        {open.map(({ step }) => (
          <Step key={step} step={step} />
        ))}
      </ul>
    </Folded>
  )
}

function Step({ step }: { step: SetupStep }) {
  const { title, why, button } = words.setupSteps[step]
  const [isTold, setTold] = useState(false)
  const act = () => (step === 'backup' ? setTold(!isTold) : void goToStep(step))
  return (
    <li className="row spread" data-step={step}>
      <div className="grow">
        <h3>{title}</h3>
        <p className="about">{why}</p>
        {isTold && (
          <p className="about">
            {t(
              '서버의 .env에 RESTIC_REPOSITORY와 RESTIC_PASSWORD를 정하면 백업 서비스가 매시간 만들어 보냅니다. 직접 만들려면 서버에서:',
            )}{' '}
            <code>docker compose exec backup backup once</code>
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

type Setup = Answer<'get', '/api/admin/setup'>
type SetupStep = Setup['steps'][number]['step']

type Place = { tab: TabId; id?: string }

const places: Record<Exclude<SetupStep, 'backup'> | 'date', Place> = {
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

async function found(selector: string): Promise<HTMLElement | undefined> {
  for (let waited = 0; waited < givesUpMs; waited += lookMs) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
    const place = document.querySelector<HTMLElement>(selector)
    if (place) return place
  }
  return undefined
}
