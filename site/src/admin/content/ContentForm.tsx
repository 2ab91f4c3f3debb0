import { contentLimits as most } from '../../../../core/content/event-content.ts'
import { Stack } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { Preview } from '../preview/Preview.tsx'
import { TextField } from '../ui/Field.tsx'
import styles from './content.module.css'
import { emptyLink, textAt, withAt } from './content-draft.ts'
import { PrizeEditor } from './PrizeEditor.tsx'
import { AddRow, BothFields, ContentProvider, type ContentState, RowList, useContentForm } from './Rows.tsx'

type Props = { form: ContentState; eventNumber: number; isLocked?: boolean }

/** What an event raffles and says of it, in both languages, beside what visitors will see; locked, only its links. */
export const ContentForm = ({ form, eventNumber, isLocked = false }: Props) => (
  <ContentProvider value={form}>
    <div className={styles.body}>
      <Preview draft={form.draft} eventNumber={eventNumber} />
      <Stack gap={16}>
        {!isLocked && (
          <>
            <p className="hint">{t('한 언어를 비워 두면 다른 언어의 글이 그 자리에 실립니다.')}</p>
            <BothFields
              label={t('제목')}
              path="title"
              max={most.titleLines * (most.titleLine + 1)}
              rows={3}
              hint={t('{titleLines}줄까지, 한 줄에 {titleLine}자. 줄을 바꾼 곳에서 제목도 바뀝니다.', {
                titleLines: most.titleLines,
                titleLine: most.titleLine,
              })}
            />
            <BothFields
              label={t('소개')}
              path="lead"
              max={most.lead}
              rows={3}
              hint={t('{price}는 티켓 가격으로 바뀝니다.')}
            />
            <BothFields
              label={t('검색과 공유 요약')}
              path="summary"
              max={most.summary}
              rows={3}
              hint={t('검색 결과와 공유한 링크에 나타나는 한 문단입니다.')}
            />
            <PrizeEditor />
            <BothFields label={t('배송 안내')} path="shipping" max={most.shipping} rows={2} />
          </>
        )}
        <LinkRows />
      </Stack>
    </div>
  </ContentProvider>
)

/** Where people can read more: of the maker, of the shop. */
function LinkRows() {
  const { draft, wrong, edit } = useContentForm()
  return (
    <RowList
      title={t('링크')}
      path="links"
      add={
        <AddRow path="links" most={most.links} empty={emptyLink}>
          {t('링크 추가')}
        </AddRow>
      }
      nameOf={(at) => t('링크 {at}', { at: at + 1 })}
    >
      {(path) => (
        <>
          <BothFields label={t('이름')} path={`${path}.label`} max={most.label} isShort />
          <TextField
            label={t('주소')}
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder="https://"
            isMono
            value={textAt(draft, `${path}.url`)}
            error={wrong[`${path}.url`]}
            onChange={(text) => edit((newest) => withAt(newest, `${path}.url`, text))}
          />
        </>
      )}
    </RowList>
  )
}
