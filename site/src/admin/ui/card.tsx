import chevronIcon from 'lucide-static/icons/chevron-down.svg?raw'
import infoIcon from 'lucide-static/icons/info.svg?raw'
import alertIcon from 'lucide-static/icons/triangle-alert.svg?raw'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { Row, Stack } from '../../shell/Layout.tsx'
import { Fact } from '../../shell/Parts.tsx'
import { t } from '../language/t.ts'
import { Button } from './action.tsx'
import styles from './card.module.css'

type Props = { title: string; reason?: ReactNode; children: ReactNode; id?: string }

export const Group = ({ title, reason, children, id }: Props) => (
  <section className={`${styles.group} card`} aria-label={title} id={id}>
    <div>
      <h2>{title}</h2>
      {reason && <p className="about">{reason}</p>}
    </div>
    <Stack gap={20}>{children}</Stack>
  </section>
)

export const ListCard = ({ title, reason, actions, children, id }: Props & { actions?: ReactNode }) => (
  <section className={`${styles.list} card stack gap-16`} aria-label={title} id={id}>
    <Row as="header" spread>
      <div>
        <h2>{title}</h2>
        {reason && <p className="about">{reason}</p>}
      </div>
      {actions && <Row>{actions}</Row>}
    </Row>
    {children}
  </section>
)

type FoldedProps = Props & { state?: ReactNode; isOpen?: boolean }

/** A card of which only its title and its state are seen until it is opened, or opens because `isOpen`. */
export function Folded({ title, state, reason, children, id, isOpen = false }: FoldedProps) {
  const [open, setOpen] = useState(isOpen)
  useEffect(() => {
    if (isOpen) setOpen(true)
  }, [isOpen])
  return (
    <section className={`${styles.list} card`} aria-label={title} id={id}>
      <details
        className={styles.folded}
        open={open}
        onToggle={({ target, currentTarget }) => {
          if (target === currentTarget) setOpen(currentTarget.open)
        }}
      >
        <summary className="row spread">
          <h2>{title}</h2>
          <span className="row whole">
            {state}
            <Icon svg={chevronIcon} />
          </span>
        </summary>
        {open && (
          <Stack gap={16}>
            {reason && <p className="about">{reason}</p>}
            {children}
          </Stack>
        )}
      </details>
    </section>
  )
}

export const DangerZone = ({ children }: { children: ReactNode }) => (
  <section className={`${styles.list} card stack gap-16 ${styles.zone}`} aria-label={t('위험 구역')}>
    <h2 className="row">
      <Icon svg={alertIcon} />
      {t('위험 구역')}
    </h2>
    {children}
  </section>
)

type ActProps = { title: string; children: ReactNode; button: ReactNode; fields?: ReactNode }

export const DangerAct = ({ title, children, button, fields }: ActProps) => (
  <div className={`row whole spread ${styles.act}`}>
    <Stack gap={8}>
      <h3>{title}</h3>
      <p className="about">{children}</p>
      {fields}
    </Stack>
    {button}
  </div>
)

export const Figures = ({ label, children, isCard = true }: FiguresProps) => (
  <dl className={isCard ? `${styles.figures} card` : styles.figures} aria-label={label}>
    {children}
  </dl>
)
type FiguresProps = { label: string; children: ReactNode; isCard?: boolean }

type FigureProps = { name: string; value: ReactNode; children?: ReactNode }

export const Figure = ({ name, value, children }: FigureProps) => (
  <div>
    <dt>{name}</dt>
    <dd className="figure">{value ?? <span className="bone" />}</dd>
    <dd className="hint">{children || '\u00a0'}</dd>
  </div>
)

export { Fact }
export const TextFact = (props: ComponentProps<typeof Fact>) => <Fact className="text" {...props} />

type NoteProps = {
  tone?: 'plain' | 'bad'
  icon?: string
  action?: ReactNode
  children: ReactNode
  role?: string
}

export function Note({ tone = 'plain', icon, action, children, role }: NoteProps) {
  return (
    <div className={tone === 'bad' ? 'note bad' : 'note'} role={role}>
      <Icon svg={icon ?? (tone === 'bad' ? alertIcon : infoIcon)} />
      <Row spread>
        <div className="grow">{children}</div>
        {action}
      </Row>
    </div>
  )
}

type ActNoteProps = Omit<NoteProps, 'action' | 'icon'> & {
  name: string
  act: () => unknown
  isBusy?: boolean
}

export const ActNote = ({ name, act, isBusy = false, ...note }: ActNoteProps) => (
  <Note
    {...note}
    action={
      <Button tone="edged" size="small" isBusy={isBusy} onClick={() => void act()}>
        {name}
      </Button>
    }
  />
)

export const Retry = ({ text, onRetry }: { text: string; onRetry: () => void }) => (
  <ActNote tone="bad" role="alert" name={t('다시 시도')} act={onRetry}>
    {text}
  </ActNote>
)

export type Tone = 'ok' | 'wait' | 'bad' | 'plain' | 'held'

export const Badge = ({ tone, icon, children }: { tone: Tone; icon?: string; children: ReactNode }) => (
  <span className={`badge ${tone}`}>
    {icon && <Icon svg={icon} className="small" />}
    {children}
  </span>
)
