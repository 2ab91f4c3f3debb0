import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { isFormUrl } from '../../../../core/prize/claim.ts'
import { $now } from '../../live/clock.ts'
import { Pair, Stack } from '../../shell/Layout.tsx'
import { OpenContent } from '../content/ContentForm.tsx'
import { Branding } from '../house/Branding.tsx'
import { HouseRules } from '../house/HouseRules.tsx'
import { t, words } from '../language/t.ts'
import { loadEvent, useEvent } from '../session/config.ts'
import { type AdminConfig, api, call } from '../session/session.ts'
import { type Action, ActionButton } from '../ui/action.tsx'
import { DangerAct, DangerZone, Group, Note } from '../ui/card.tsx'
import { TextField } from '../ui/Field.tsx'
import { type Edits, Fields, FormPlace, useDraft } from '../ui/form.tsx'
import { SaveBar } from '../ui/form-parts.tsx'
import { fromField, spanText, toField } from '../ui/format.ts'
import { Loaded } from '../ui/resource.tsx'
import { archivedText, confirmSettings, prizesLine } from './promises.tsx'
import { countFields, settingsFields, WalletProof } from './settings-form.tsx'

export const SettingsTab = () => (
  <Loaded from={useEvent()} rows={6}>
    {(event) => (
      <Stack gap={20}>
        <Settings event={event} />
        <OpenContent />
        <StopSale event={event} />
        <HouseRules />
        <Branding />
      </Stack>
    )}
  </Loaded>
)

const $edits = atom<Edits<AdminConfig> | undefined>()

function Settings({ event }: { event: AdminConfig }) {
  const fields = settingsFields(event, useStore($now))
  const form = useDraft({
    ...{ saved: event, version: event.version, fields, keep: $edits },
    ask: (draft, changes) => confirmSettings({ event, fields, draft, changes }),
    save: (body) => call(() => api.raffle.config.patch(body)),
    reload: loadEvent,
    failure: t('설정 업데이트에 실패했습니다'),
    told: (saved) => [
      t('설정을 저장했습니다'),
      saved.archived ? archivedText(saved) : t('공개 페이지에 바로 반영됩니다.'),
    ],
    undo: ({ version, archived }) => (archived ? undefined : version),
  })
  const lead = event.saleLeadSeconds
  const date = fromField(form.draft.drawDate)
  const end = date && toField(new Date(date.getTime() - lead * 1000).toISOString())
  return (
    <FormPlace of={form}>
      <Group id="draw-date" title={t('추첨 일정과 배송 양식')} reason={<State event={event} />}>
        <Pair>
          <Fields of={form} names={['drawDate']} />
          <TextField
            label={t('판매 종료 (UTC)')}
            value={end ?? t('설정 안 됨')}
            readOnly
            isMono={end !== undefined}
            hint={t('추첨 {lead} 전으로 저절로 정해집니다.', { lead: spanText(lead) })}
          />
          <Fields of={form} names={[...countFields, 'googleFormUrl']} />
        </Pair>
        {event.googleFormUrl !== null && !isFormUrl(event.googleFormUrl, event.formHosts) && (
          <Note tone="bad">
            {t('저장된 양식 주소의 호스트가 허용 목록(FORM_HOSTS)에 없어 당첨자 화면에 나타나지 않습니다.')}
          </Note>
        )}
        <details>
          <summary>
            {t('추첨 방식과 경품: {entropy}, 당첨자 {winners}명, {prizes}', {
              entropy: words.entropies[form.draft.entropy].name,
              winners: event.winners,
              prizes: prizesLine(event.prizes),
            })}
          </summary>
          <Stack gap={16}>
            <Fields of={form} names={['entropy']} />
            <TextField
              label={t('당첨자 수와 경품')}
              value={t('{winners}명 · {prizesLine}', {
                winners: event.winners,
                prizesLine: prizesLine(event.prizes),
              })}
              readOnly
              hint={t('아래 이벤트 내용의 경품과 수량에서 정해집니다.')}
            />
          </Stack>
        </details>
      </Group>
      <Group
        id="operator-wallet"
        title={t('운영자 지갑')}
        reason={t('구매자가 USDT를 보내는 주소입니다. 한 글자라도 다르면 돈을 되찾을 수 없습니다.')}
      >
        <Fields of={form} names={['operatorWallet']} />
        <WalletProof event={event} typed={form.draft.operatorWallet} />
      </Group>
      <SaveBar of={form} label={t('설정 저장')} />
    </FormPlace>
  )
}

function State({ event }: { event: AdminConfig }) {
  const now = useStore($now)
  const { eventNumber, saleEndDate } = event
  if (event.isOver)
    return said(
      t('이벤트 {eventNumber}의 진행이 끝났습니다.', { eventNumber }),
      t('새 추첨 일시를 저장하면 기록으로 보관되고 이벤트 {eventNumber}의 판매가 시작됩니다.', {
        eventNumber: eventNumber + 1,
      }),
    )
  if (saleEndDate !== null && Date.parse(saleEndDate) <= now)
    return said(t('판매가 끝나 추첨 일정과 지갑이 잠겼습니다.'), t('배송 양식만 바꿀 수 있습니다.'))
  if (event.lockedAt)
    return said(
      t('구매자에게 약속한 조건이 모두 잠겼습니다.'),
      event.drawDate
        ? t('날짜도 옮길 수 없습니다. 추첨하지 않으려면 판매를 중단하고 모두 환불합니다.')
        : t('추첨 일시는 한 번만 정할 수 있습니다.'),
    )
  return t(
    '첫 티켓이 팔리면 지갑, 가격, 일정, 최소 수량, 추첨 방식, 경품이 모두 잠깁니다. 비어 있는 추첨 일시만 나중에 한 번 정할 수 있습니다.',
  )
}

const said = (what: string, next: string) => (
  <>
    <b className="strong">{what}</b> {next}
  </>
)

const stop: Action<AdminConfig> = {
  name: t('판매 중단하고 환불'),
  failure: t('판매를 중단하지 못했습니다'),
  tone: 'danger-edged',
  writes: true,
  ask: ({ eventNumber }) => ({
    body: t('판매가 지금 끝나고, 모든 결제를 전액 환불합니다. 추첨하지 않습니다. 되돌릴 수 없습니다.'),
    typed: { label: t('이벤트 번호 {eventNumber} 입력', { eventNumber }), value: `${eventNumber}` },
  }),
  run: () => call(() => api.raffle['stop-sale'].post()),
  told: () => [t('판매를 중단했습니다'), t('환불 탭에서 전액 환불을 시작하세요.')],
}

function StopSale({ event }: { event: AdminConfig }) {
  const now = useStore($now)
  const isOn = event.saleEndDate === null || now < Date.parse(event.saleEndDate)
  if (!isOn || event.isOver || !event.lockedAt) return null
  return (
    <DangerZone>
      <DangerAct
        title={t('추첨하지 않고 끝내기')}
        button={<ActionButton action={stop} row={event} onDone={loadEvent} />}
      >
        {t('약속한 조건은 바꿀 수 없지만, 판매가 끝나기 전에는 중단하고 모두에게 돌려줄 수 있습니다.')}
      </DangerAct>
    </DangerZone>
  )
}
