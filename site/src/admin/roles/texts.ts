import type { AdminRole } from '../../../../core/admin/roles.ts'
import { t } from '../language/t.ts'

/** What a role may do, in a sentence. */
export const roleMeanings: Record<AdminRole, string> = {
  owner: t('소유자는 지갑, 관리자, 보안 설정까지 모두 바꿀 수 있습니다.'),
  operator: t('운영자는 이벤트, 추첨, 환불을 맡고 지갑, 관리자, 보안 설정은 바꿀 수 없습니다.'),
  auditor: t('감사자는 모든 내용을 보고 내려받을 수 있으며 아무것도 바꿀 수 없습니다.'),
}
