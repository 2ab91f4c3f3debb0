import { useStore } from '@nanostores/react'
import { isAtLeast } from '../../../../core/admin/roles.ts'
import { Badge } from '../frame/Badge.tsx'
import { Button } from '../frame/Button.tsx'
import { toStamp } from '../frame/dates.ts'
import { $role, roleTexts } from '../frame/role.ts'
import type { Approval } from '../frame/types.ts'
import { t } from '../language/t.ts'
import { actionTexts } from '../security/audit-texts.ts'
import { Asked } from './Asked.tsx'
import styles from './SecondPerson.module.css'

type Props = {
  item: Approval
  isBusy: boolean
  onApprove: () => void
  onClose: () => void
  onCarryOut: () => void
}

/** One question: who asks for what, until when, and what the reader can do about it. */
export function ApprovalItem({ item, isBusy, onApprove, onClose, onCarryOut }: Props) {
  const { id, action, askedBy, askedAt, endsAt, approvedBy, isOwn, neededRole, eventNumber } = item
  const role = useStore($role)
  const name = actionTexts[action] ?? action
  // Accounts and their security belong to no event.
  const isOfHouse = action.startsWith('admins.') || action === 'settings'
  const mayGive = role !== undefined && isAtLeast(role, neededRole)
  return (
    <li className={styles.item} aria-label={`${name} ${id}`}>
      <div>
        <h3>
          {name}
          {eventNumber !== null && !isOfHouse && ` · ${t('이벤트 {eventNumber}', { eventNumber })}`}
        </h3>
        <Asked item={item} />
        <p className={styles.when}>
          {t('{name} 요청, {since} UTC부터 {until} UTC까지', {
            name: askedBy,
            since: toStamp(askedAt),
            until: toStamp(endsAt),
          })}
        </p>
        {isOwn && !approvedBy && <p>{t('다른 관리자가 확인하면 여기에 실행 버튼이 나타납니다.')}</p>}
        {!isOwn && !approvedBy && !mayGive && (
          <p>{t('{role} 이상만 확인할 수 있습니다.', { role: roleTexts[neededRole] })}</p>
        )}
      </div>
      <div className={styles.actions}>
        {approvedBy ? (
          <Badge tone="ok">{t('{name} 확인', { name: approvedBy })}</Badge>
        ) : (
          <Badge tone="wait">{t('확인 대기')}</Badge>
        )}
        {(isOwn || mayGive) && (
          <Button tone="edged" size="small" need="approval.close" isBusy={isBusy} onClick={onClose}>
            {isOwn ? t('철회') : t('거절')}
          </Button>
        )}
        {isOwn && approvedBy && (
          <Button size="small" isBusy={isBusy} onClick={onCarryOut}>
            {t('실행')}
          </Button>
        )}
        {!isOwn && !approvedBy && mayGive && (
          <Button size="small" need="approval.approve" isBusy={isBusy} onClick={onApprove}>
            {t('확인')}
          </Button>
        )}
      </div>
    </li>
  )
}
