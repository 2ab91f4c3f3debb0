import { atom, onMount } from 'nanostores'
import type { ChainHealth } from '../../../../core/chain/chain-health.ts'
import { t } from '../language/t.ts'
import { api, call, type Pipeline } from '../session/session.ts'
import { errorText } from '../ui/error-text.ts'

export const $pipeline = atom<Pipeline | undefined>()
export const $pipelineTrouble = atom('')

const everyMs = 4_000

onMount($pipeline, () => {
  let timer: ReturnType<typeof setTimeout>
  const ask = async () => {
    try {
      if (document.visibilityState === 'visible') {
        $pipeline.set(await call(() => api.pipeline.get()))
        $pipelineTrouble.set('')
      }
    } catch (error) {
      $pipelineTrouble.set(errorText(error, t('상태를 불러오지 못했습니다.')))
    }
    timer = setTimeout(ask, everyMs)
  }
  void ask()
  return () => clearTimeout(timer)
})

/** The worker's last report on the endpoints; undefined before the first one. */
export function healthOf(pipeline: Pipeline | undefined): ChainHealth | undefined {
  const facts = pipeline?.worker?.facts
  // A worker of an earlier version may have said less.
  return Array.isArray(facts?.endpoints) ? facts : undefined
}

export type ChainState = { tone: 'ok' | 'wait' | 'bad'; text: string }

/** One badge for the chain. A worker without a report for 30 seconds counts as gone. */
export function chainState(pipeline: Pipeline | undefined, trouble: string): ChainState {
  if (trouble) return { tone: 'bad', text: t('서버 연결 안 됨') }
  if (!pipeline) return { tone: 'wait', text: t('확인 중') }
  const health = healthOf(pipeline)
  if (!pipeline.worker || pipeline.worker.secondsAgo > 30) return { tone: 'bad', text: t('작업자 응답 없음') }
  if (health && !health.endpoints.some(({ state }) => state === 'ok' || state === 'unused'))
    return { tone: 'bad', text: t('체인 노드 연결 안 됨') }
  if (pipeline.waitingSeconds !== null) return { tone: 'bad', text: t('두 번째 노드 대기 중') }
  if (health?.endpoints.every(({ logs }) => logs === 'none'))
    return { tone: 'bad', text: t('결제를 읽을 수 없음') }
  if (health?.endpoints.some(({ state }) => state === 'aside'))
    return { tone: 'bad', text: t('다른 답을 한 노드 제외됨') }
  if (health?.isUnsafe) return { tone: 'bad', text: t('노드 업체 하나만 사용 중') }
  if (Math.abs(health?.skewSeconds ?? 0) > 5) return { tone: 'bad', text: t('체인과 시계가 다름') }
  if (health?.isStalled) return { tone: 'wait', text: t('블록 확정 지연') }
  if (!pipeline.scan) return { tone: 'wait', text: t('첫 스캔 대기 중') }
  if (pipeline.scan.lagSeconds > 120) return { tone: 'wait', text: t('스캔 따라잡는 중') }
  return { tone: 'ok', text: t('체인 정상') }
}
