import { atom } from 'nanostores'
import { type AdminAction, type AdminRole, actionRoles, mayDo } from '../../../../core/admin/roles.ts'
import { t } from '../language/t.ts'

/** The role of who is logged in; undefined until the server has told it. */
export const $role = atom<AdminRole | undefined>()

/** The server decides: this only spares a click that it would refuse. A role that changes ends the session. */
export function may(action: AdminAction): boolean {
  const role = $role.get()
  return role === undefined || mayDo(role, action)
}

export const isOwner = (): boolean => $role.get() === 'owner'

export const roleTexts: Record<AdminRole, string> = {
  owner: t('소유자'),
  operator: t('운영자'),
  auditor: t('감사자'),
}

/** Why a button is off. */
export const roleReason = (action: AdminAction): string =>
  actionRoles[action] === 'owner' ? t('소유자만 할 수 있습니다.') : t('읽기 전용 계정은 할 수 없습니다.')
