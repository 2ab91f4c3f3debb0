import { Stack } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Group } from '../ui/card.tsx'
import { Retry } from '../ui/Note.tsx'
import { SkeletonRows, useResource } from '../ui/resource.tsx'
import { LegalTextForm } from './LegalTextForm.tsx'
import { RulesForm } from './RulesForm.tsx'

/** Rules of the land: all off at first, each a switch with its sentence. */
export function HouseRules() {
  const { data: rules, trouble, reload } = useResource(() => call(() => api['house-rules'].get()))
  return (
    <Stack gap={20}>
      <Group
        title={t('법과 규칙')}
        reason={t(
          '처음에는 모두 꺼져 있습니다. 켜면 앞으로의 구매부터 페이지가 지키며, 체인으로 들어온 돈은 규칙과 관계없이 그대로 인정되고 환불됩니다. 저장할 때 비밀번호를 다시 확인합니다.',
        )}
      >
        {rules ? (
          <RulesForm rules={rules} onSaved={reload} />
        ) : trouble ? (
          <Retry text={trouble} onRetry={() => void reload()} />
        ) : (
          <SkeletonRows />
        )}
      </Group>
      {rules && (
        <Group
          title={t('약관과 개인정보')}
          reason={t(
            '두 언어를 함께 게시합니다. 저장할 때마다 새 버전이 되고, 이전 버전은 모두 공개로 남습니다. 구매자가 동의한 버전은 구매 기록과 함께 보관합니다.',
          )}
        >
          <LegalTextForm kind="terms" rules={rules} onSaved={reload} />
          <LegalTextForm kind="privacy" rules={rules} onSaved={reload} />
        </Group>
      )}
    </Stack>
  )
}
