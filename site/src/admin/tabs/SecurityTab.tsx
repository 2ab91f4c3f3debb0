import { useStore } from '@nanostores/react'
import type { SecurityState } from '../lib/types.ts'
import { useResource } from '../lib/use-resource.ts'
import { Note } from '../parts/Note.tsx'
import { Loaded } from '../parts/States.tsx'
import { $mustEnrol, call } from '../stores/session.ts'
import { AddressList } from './AddressList.tsx'
import { AuditLog } from './AuditLog.tsx'
import { OtpGroup } from './OtpGroup.tsx'
import { SessionList } from './SessionList.tsx'

export function SecurityTab() {
  const mustEnrol = useStore($mustEnrol)
  const security = useResource(() => call<SecurityState>('GET', '/api/admin/settings'))
  return (
    <>
      {mustEnrol && (
        <Note tone="bad" role="alert">
          <b>2단계 인증이 필수입니다.</b> 아래에서 OTP를 설정해야 다른 메뉴를 쓸 수 있습니다.
        </Note>
      )}
      <Loaded from={security} rows={6}>
        {(data) => (
          <>
            <OtpGroup security={data} onChanged={security.reload} />
            {!mustEnrol && <AddressList security={data} onChanged={security.reload} />}
          </>
        )}
      </Loaded>
      {!mustEnrol && (
        <>
          <SessionList />
          <AuditLog />
        </>
      )}
    </>
  )
}
