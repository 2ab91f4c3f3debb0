import { useStore } from '@nanostores/react'
import chevronIcon from 'lucide-static/icons/chevron-down.svg?raw'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import { $chain, $pipeline } from '../payments/PipelineCard.tsx'
import { count } from '../ui/format.ts'
import { $tab, openTab, type TabId, tabs } from '../ui/tab.ts'
import styles from './desk.module.css'

export function Sidebar({ badges }: { badges: Partial<Record<TabId, number>> }) {
  const tab = useStore($tab)
  const [isOpen, setOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const current = tabs.find(({ id }) => id === tab) ?? tabs[0]
  const waiting = Object.values(badges).reduce((sum, n) => sum + n, 0)

  const choose = (id: TabId) => {
    openTab(id)
    setOpen(false)
    window.scrollTo({ top: 0 })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const index = tabs.findIndex(({ id }) => id === tab)
    const steps: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowRight: index + 1,
      ArrowUp: index - 1,
      ArrowLeft: index - 1,
      Home: 0,
      End: tabs.length - 1,
    }
    if (event.key === 'Escape') setOpen(false)
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    const target = tabs[(next + tabs.length) % tabs.length]
    if (!target) return
    openTab(target.id)
    list.current?.querySelector<HTMLElement>(`#tab-${target.id}`)?.focus()
  }

  return (
    <>
      <div className={styles.tabs} data-open={isOpen || undefined}>
        <button
          type="button"
          className={`row whole ${styles.menu}`}
          aria-expanded={isOpen}
          aria-controls="tab-list"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon svg={current.icon} />
          <span className="grow">{current.title}</span>
          {waiting > 0 && (
            <span className="badge wait">{t('확인 {waiting}', { waiting: count(waiting) })}</span>
          )}
          <Icon svg={chevronIcon} />
        </button>
        <div
          id="tab-list"
          ref={list}
          role="tablist"
          aria-label={t('관리 메뉴')}
          aria-orientation="vertical"
          onKeyDown={onKeyDown}
        >
          {tabs.map(({ id, title, icon }) => (
            <button
              key={id}
              type="button"
              role="tab"
              className="row whole"
              id={`tab-${id}`}
              aria-selected={id === tab}
              aria-controls="panel"
              tabIndex={id === tab ? 0 : -1}
              onClick={() => choose(id)}
            >
              <Icon svg={icon} />
              <span className="grow">{title}</span>
              {(badges[id] ?? 0) > 0 && (
                <span className="badge wait" title={t('확인할 것 {count}건', { count: badges[id] ?? 0 })}>
                  {count(badges[id] ?? 0)}
                </span>
              )}
            </button>
          ))}
        </div>
      </div>
      <ChainFoot />
    </>
  )
}

function ChainFoot() {
  const pipeline = useStore($pipeline)
  const { tone, text } = useStore($chain)
  return (
    <div className={`size-14 muted ${styles.foot}`} role="status">
      <p className="row whole gap-8">
        <span className={`dot ${tone}`} />
        {text}
      </p>
      <p>
        {t('블록')}{' '}
        <span className="figure size-13">{pipeline?.scan ? count(pipeline.scan.height) : '–'}</span>
      </p>
    </div>
  )
}
