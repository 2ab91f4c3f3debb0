import { contentLimits as most } from '../../../../core/content/event-content.ts'
import { mostWinners } from '../../../../core/draw/winners.ts'
import { Row } from '../../shell/Layout.tsx'
import { language, rich, t } from '../language/t.ts'
import { pictureUrl } from '../preview/message.ts'
import { Field, TextField } from '../ui/Field.tsx'
import { Select } from '../ui/select.tsx'
import styles from './content.module.css'
import {
  type ContentDraft,
  type DraftPicture,
  type DraftPrize,
  emptyFact,
  emptyPrize,
  newPicture,
  winnersOf,
  withAt,
} from './content-draft.ts'
import { AddRow, BothFields, ContentField, RowList, RowTools, useContentForm } from './Rows.tsx'
import { Uploads } from './Uploads.tsx'

export function PrizeEditor() {
  const { draft, wrong } = useContentForm()
  const { prizes } = draft
  return (
    <section
      className={`stack gap-16 ${styles.prizes}`}
      aria-labelledby="content-prizes"
      tabIndex={-1}
      data-list
    >
      <header>
        <h3 id="content-prizes">{t('경품')}</h3>
        <p className="hint">
          {rich('위에서부터 1등입니다. 수량의 합이 당첨자 수가 됩니다: {winners} (최대 {mostWinners}명)', {
            winners: <b className="figure">{t('{winners}명', { winners: winnersOf(draft) })}</b>,
            mostWinners,
          })}
        </p>
        {wrong.prizes && (
          <p className="field-error" role="alert">
            {wrong.prizes}
          </p>
        )}
      </header>
      <ol className="stack gap-16">
        {prizes.map((prize, at) => (
          <li key={prize.id}>
            <Prize prize={prize} at={at} />
          </li>
        ))}
      </ol>
      <AddRow path="prizes" most={most.prizes} empty={emptyPrize}>
        {t('경품 추가')}
      </AddRow>
    </section>
  )
}

const kinds = [
  ['goods', t('배송하는 물건')],
  ['token', t('USDT 지급')],
] as const

function Prize({ prize, at }: { prize: DraftPrize; at: number }) {
  const { wrong, edit } = useContentForm()
  const path = `prizes.${at}`
  const set = (name: 'kind' | 'amount' | 'copies') => (value: string) =>
    edit((draft) => withAt(draft, `${path}.${name}`, value))
  return (
    <section className={`stack gap-16 ${styles.prize}`} aria-label={t('경품 {at}', { at: at + 1 })}>
      <Row as="header" whole spread>
        <h4 className="strong anywhere">
          <span className="faint">{t('경품 {at}', { at: at + 1 })}</span>{' '}
          <bdi>{prize.name[language] || t('이름 없음')}</bdi>
        </h4>
        <RowTools name={t('경품 {at}', { at: at + 1 })} path="prizes" at={at} least={1} />
      </Row>
      <BothFields label={t('이름')} path={`${path}.name`} max={most.name} />
      <div className={`grid gap-16 ${styles.terms}`}>
        <ContentField label={t('인쇄되는 가치')} path={`${path}.value`} max={most.value} />
        <Field label={t('종류')}>
          {(ids) => <Select {...ids} value={prize.kind} options={kinds} onChange={set('kind')} />}
        </Field>
        {prize.kind === 'token' && (
          <TextField
            label={t('금액')}
            value={prize.amount}
            onChange={set('amount')}
            error={wrong[`${path}.amount`]}
            hint={t('한 개당. 체인에서 정확한 금액을 확인합니다.')}
            inputMode="decimal"
            autoComplete="off"
            suffix="USDT"
            isMono
          />
        )}
        <TextField
          label={t('수량')}
          value={prize.copies}
          onChange={set('copies')}
          error={wrong[`${path}.copies`]}
          hint={t('당첨자마다 하나')}
          inputMode="numeric"
          autoComplete="off"
          suffix={t('개')}
          isMono
        />
      </div>
      <BothFields label={t('설명')} path={`${path}.about`} max={most.about} rows={3} />
      <Facts path={`${path}.facts`} />
      <PrizePictures pictures={prize.pictures} id={prize.id} path={path} />
    </section>
  )
}

const Facts = ({ path }: { path: string }) => (
  <RowList
    title={t('정보')}
    path={path}
    add={
      <AddRow path={path} most={most.facts} empty={emptyFact}>
        {t('정보 추가')}
      </AddRow>
    }
    hint={t('사양, 소비자가처럼 이름과 값으로 보여줄 것을 더합니다.')}
    nameOf={(at) => t('정보 {at}', { at: at + 1 })}
  >
    {(fact) => (
      <>
        <BothFields label={t('항목')} path={`${fact}.name`} max={most.factName} isShort />
        <BothFields label={t('값')} path={`${fact}.value`} max={most.factValue} isShort />
      </>
    )}
  </RowList>
)

/** `id`: of the prize, which may be moved while its pictures are on their way. */
type Props = { pictures: readonly DraftPicture[]; id: string; path: string }

function PrizePictures({ pictures, id, path }: Props) {
  const { edit, wrong } = useContentForm()
  const done = async (url: string, file: File) => {
    const { width, height } = await sizeOf(file)
    const picture = newPicture({ key: url.split('/').at(-1) ?? '', width, height })
    edit((draft) => withPicture(draft, id, picture))
  }
  return (
    <RowList
      title={t('사진')}
      path={`${path}.pictures`}
      hint={t(
        'JPG 또는 PNG, 5MB 이하, {pictures}장까지. 첫 사진이 티켓에 실립니다. 화면을 보지 않는 사람을 위해 무엇이 보이는지 적어주세요.',
        { pictures: most.pictures },
      )}
      nameOf={(at) => t('사진 {at}', { at: at + 1 })}
      mark={(at) => {
        const picture = pictures[at]
        return picture && <img src={pictureUrl(picture)} {...sizeIn(picture)} alt="" />
      }}
      add={
        <Uploads
          room={most.pictures - pictures.length}
          tooMany={t('사진은 {pictures}장까지입니다.', { pictures: most.pictures })}
          button={t('사진 추가')}
          input={{ multiple: true, 'aria-label': t('사진 파일'), tabIndex: -1 }}
          onDone={done}
        />
      }
    >
      {(picture) => (
        <>
          <BothFields label={t('대체 텍스트')} path={`${picture}.alt`} max={most.alt} isShort />
          {wrong[`${picture}.key`] && <p className="field-error">{wrong[`${picture}.key`]}</p>}
        </>
      )}
    </RowList>
  )
}

const sizeIn = ({ width, height }: DraftPicture) => ({ width, height })

async function sizeOf(file: File): Promise<{ width: number; height: number }> {
  const image = await createImageBitmap(file)
  const { width, height } = image
  image.close()
  return { width, height }
}

const withPicture = (draft: ContentDraft, id: string, picture: DraftPicture): ContentDraft => ({
  ...draft,
  prizes: draft.prizes.map((prize) =>
    prize.id === id ? { ...prize, pictures: [...prize.pictures, picture] } : prize,
  ),
})
