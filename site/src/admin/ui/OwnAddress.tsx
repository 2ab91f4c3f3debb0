import { t } from '../language/t.ts'
import { answerOf, api } from '../session/api.ts'
import { Note } from './Note.tsx'
import { isProxyAddress } from './own-address.ts'
import { useResource } from './use-resource.ts'

/** Warns where the server sees a proxy in place of this visitor: then all visitors share one address. */
export function OwnAddress() {
  const { data } = useResource(() => answerOf(api['check-access'].get()))
  if (!data || !isProxyAddress(data.ip, location.hostname)) return null
  return (
    <Note tone="bad" role="status">
      <b>{t('서버가 이 접속을 내부 주소 {ip}(으)로 보고 있습니다.', { ip: data.ip })}</b>{' '}
      {t(
        '모든 방문자가 같은 주소로 보이면 접속 제한과 IP 화이트리스트가 제대로 동작하지 않습니다. TRUSTED_PROXIES와 CDN_PROXIES, 서버의 IPv6 설정을 확인해주세요. 내부 네트워크나 VPN으로 접속했다면 정상입니다.',
      )}
    </Note>
  )
}
