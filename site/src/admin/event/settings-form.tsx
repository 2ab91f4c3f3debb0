import checkIcon from 'lucide-static/icons/circle-check.svg?raw'
import { useId } from 'react'
import type { Hex } from 'viem'
import { type Entropy, furthestDateMs } from '../../../../core/event/event.ts'
import { minTicketsRange } from '../../../../core/event/ranges.ts'
import { isFormUrl } from '../../../../core/prize/claim.ts'
import { Row, Stack } from '../../shell/Layout.tsx'
import { showToast } from '../../shell/toast.ts'
import { t, words } from '../language/t.ts'
import { loadEvent } from '../session/config.ts'
import { type AdminConfig, api, call, isReadOnly, readOnlyText } from '../session/session.ts'
import { Address } from '../ui/address.tsx'
import { Badge } from '../ui/card.tsx'
import { address, checksummed, custom, type Input, url, utcDate, whole } from '../ui/fields.tsx'
import { inWords } from '../ui/format.ts'
import { WalletSignature } from '../ui/WalletSignature.tsx'
import styles from './event.module.css'

export const countFields = ['minTicketsForDraw'] as const

export const settingsFields = (event: AdminConfig, now: number) => ({
  drawDate: utcDate({
    ...{ label: t('추첨 일시 (UTC)'), name: t('추첨 일시') },
    locked: lockedText(event, 'drawDate'),
    hint: t('비워 두면 추첨 없이 판매만 합니다.'),
    check: (date) => wrongDrawDate(date, event.saleLeadSeconds, now),
  }),
  minTicketsForDraw: whole({
    label: t('최소 참여 인원'),
    ...{ ...minTicketsRange, suffix: t('장') },
    isNeeded: true,
    locked: lockedText(event, 'minTicketsForDraw'),
    hint: t('추첨 시각에 이보다 적게 팔리면 전액 환불로 바뀝니다.'),
  }),
  entropy: custom<Entropy, Entropy>({
    label: t('추첨 난수'),
    locked: event.isOver
      ? t('다음 이벤트의 추첨 방식은 “다음 이벤트”에서 정합니다.')
      : lockedText(event, 'entropy'),
    show: (saved) => saved as Entropy,
    read: (value) => ({ value }),
    text: (value) => words.entropies[value].name,
    draw: (input) => <EntropyChoice {...input} />,
  }),
  operatorWallet: address({
    ...{ label: t('지갑 주소'), name: t('운영자 지갑') },
    locked: lockOf(event),
    hint: t('체크섬이 있는 주소 또는 모두 소문자인 주소만 저장됩니다.'),
  }),
  googleFormUrl: url({
    ...{ label: 'Google Form URL', name: t('배송 양식 URL'), placeholder: 'https://forms.gle/…' },
    hint: t('비워 두면 당첨자 화면에 버튼이 나타나지 않습니다. 쓸 수 있는 주소: {formHosts}', {
      formHosts: event.formHosts.join(', '),
    }),
    check: (typed) =>
      typed === null || isFormUrl(typed, event.formHosts)
        ? undefined
        : t('{hosts} 주소만 쓸 수 있습니다.', { hosts: event.formHosts.join(', ') }),
  }),
})
export type SettingsFields = ReturnType<typeof settingsFields>

/** Why a field is shut; a form of an event that is over opens the next one. */
function lockedText(event: AdminConfig, field: keyof AdminConfig['locks']): string | undefined {
  const reason = event.isOver ? undefined : event.locks[field]
  if (reason === 'ticket') return t('첫 티켓이 판매된 때부터 잠겼습니다.')
  if (reason !== 'saleEnd') return undefined
  return event.saleEndDate
    ? t('판매가 끝난 {at}부터 잠겼습니다.', { at: inWords(event.saleEndDate) })
    : t('판매가 끝난 때부터 잠겼습니다.')
}

export function wrongDrawDate(date: string | null, leadSeconds: number, now: number): string | undefined {
  if (date === null || now === 0) return undefined
  const moment = Date.parse(date)
  if (moment - leadSeconds * 1000 <= now)
    return t('판매 종료 시각이 이미 지났습니다. 더 늦은 추첨 일시를 입력하세요.')
  return moment > now + furthestDateMs ? t('추첨 일시는 180일 안이어야 합니다.') : undefined
}

const recommended: Entropy = 'blocks+drand'

type Props<T extends Entropy | ''> = Input<T> & { unset?: string }

export function EntropyChoice<T extends Entropy | ''>({ value, set, error, locked, unset }: Props<T>) {
  const name = useId()
  const radio = (choice: T, title: string, text: string, isBest = false) => (
    <label key={choice}>
      <input
        type="radio"
        name={name}
        checked={value === choice}
        disabled={Boolean(locked)}
        aria-invalid={Boolean(error)}
        onChange={() => set(choice)}
      />
      <span>
        <b className="strong">{title}</b> {isBest && <Badge tone="ok">{t('권장')}</Badge>}
        <small className="about">{text}</small>
      </span>
    </label>
  )
  return (
    <fieldset className={styles.choice}>
      <legend className="strong">{t('추첨 난수')}</legend>
      {unset && radio('' as T, t('정하지 않음'), unset)}
      {(Object.keys(words.entropies) as Entropy[]).map((one) => {
        const { name, text } = words.entropies[one]
        return radio(one as T, name, text, one === recommended)
      })}
      {(error ?? locked) && <p className={error ? 'field-error' : 'hint'}>{error ?? locked}</p>}
    </fieldset>
  )
}

function lockOf({ locks, walletPinned, lockedAt, isOver }: AdminConfig): string | undefined {
  if (walletPinned) return t('서버 설정(OPERATOR_WALLET)으로 고정되어 있습니다.')
  if (!locks.operatorWallet || isOver) return isReadOnly() ? readOnlyText : undefined
  return lockedAt
    ? t('첫 티켓이 판매된 {at}부터 잠겼습니다.', { at: inWords(lockedAt) })
    : t('판매가 끝나 잠겼습니다.')
}

export function WalletProof({ event, typed }: { event: AdminConfig; typed: string }) {
  const { operatorWallet, walletProvenAt } = event
  const shown = checksummed(typed)
  const isSaved = operatorWallet !== null && shown?.toLowerCase() === operatorWallet.toLowerCase()
  return (
    <>
      {shown && <Address value={shown} label={t('지갑 주소 복사')} />}
      {isSaved &&
        (walletProvenAt ? (
          <Row>
            <Badge tone="ok" icon={checkIcon}>
              {t('서명으로 확인됨')}
            </Badge>
            <span className="hint">{inWords(walletProvenAt)}</span>
          </Row>
        ) : (
          <ProveWallet event={event} />
        ))}
    </>
  )
}

function ProveWallet({ event }: { event: AdminConfig }) {
  const prove = async (signature: Hex) => {
    await call(() => api.raffle['prove-wallet'].post({ signature }))
    showToast(t('지갑을 확인했습니다'), t('이 지갑의 키를 가진 사람이 서명했습니다.'), 'good')
    await loadEvent()
  }
  return (
    <Stack>
      <Row align="base" whole className="muted size-14">
        <span className="dot wait" />
        {t('아직 서명으로 확인되지 않은 지갑입니다. 잘못 적은 주소가 아닌지 판매 전에 확인하세요.')}
      </Row>
      {!isReadOnly() && (
        <WalletSignature
          wallet={event.operatorWallet ?? ''}
          message={event.walletProofMessage}
          onSigned={prove}
        />
      )}
    </Stack>
  )
}
