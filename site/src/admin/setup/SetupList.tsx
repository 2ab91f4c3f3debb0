import { useStore } from '@nanostores/react'
import downIcon from 'lucide-static/icons/chevron-down.svg?raw'
import upIcon from 'lucide-static/icons/chevron-up.svg?raw'
import { useState } from 'react'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { $username, call } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { ListCard } from '../ui/card.tsx'
import { useResource } from '../ui/resource.tsx'
import { isPutAway, putAway, type Setup } from './put-away.ts'
import styles from './SetupList.module.css'
import { SetupRow } from './SetupRow.tsx'

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
  const left = steps.filter(({ state }) => state === 'open')
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
            ? t('이 컴퓨터에서 시험할 때 필요한 것만 세었습니다. 끝난 일은 저절로 표시됩니다.')
            : t('판매를 시작하기 전에 할 일입니다. 끝난 일은 저절로 표시됩니다.')
      }
      actions={
        <>
          <span className={styles.count}>{t('{all}개 중 {done}개 완료', { all: needed.length, done })}</span>
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
          {left.map(({ step }) => (
            <SetupRow key={step} step={step} />
          ))}
        </ol>
      )}
    </ListCard>
  )
}
