import { Muted, Pair, Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { Body, Folded } from '../ui/card.tsx'
import { Fields, FormPlace, useDraft } from '../ui/form.tsx'
import { Loaded, useResource } from '../ui/resource.tsx'
import { brandingFields, type SavedBranding } from './branding-form.tsx'

/** What the site is called, and how it looks. */
export function Branding() {
  const branding = useResource(() => call(() => api.branding.get()))
  return (
    <Folded
      title={t('브랜드')}
      state={<Muted size={14}>{t('이름, 로고, 색, 링크')}</Muted>}
      reason={t('비워 두면 처음 만들어진 대로 보입니다. 저장하면 공개 페이지에 바로 반영됩니다.')}
    >
      <Body>
        <Loaded from={branding}>{(saved) => <Form saved={saved} onSaved={branding.reload} />}</Loaded>
      </Body>
    </Folded>
  )
}

function Form({ saved, onSaved }: { saved: SavedBranding; onSaved: () => Promise<void> }) {
  const form = useDraft({
    ...{ saved, version: saved.version, fields: brandingFields, reload: onSaved },
    save: (body) => call(() => api.branding.patch(body)),
    failure: t('브랜드를 저장하지 못했습니다'),
    told: () => [t('브랜드를 저장했습니다'), t('공개 페이지에 바로 반영됩니다.')],
    undo: ({ version }) => version,
  })
  return (
    <FormPlace of={form} className="stack gap-20">
      <Fields of={form} names={['logo']} />
      <Pair>
        <Fields
          of={form}
          names={['name', 'accent', 'supportEmail', 'shopUrl', 'socialUrl', 'socialName', 'copyright']}
        />
      </Pair>
      <Row>
        <Button writes type="submit" disabled={!form.isDirty} isBusy={form.isBusy}>
          {t('브랜드 저장')}
        </Button>
      </Row>
    </FormPlace>
  )
}
