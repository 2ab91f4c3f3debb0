import { contentLimits as most } from '../../../../core/content/event-content.ts'
import { t } from '../language/t.ts'
import { pictureUrl } from '../preview/message.ts'
import { BothFields, useContentForm } from './ContentFields.tsx'
import { type ContentDraft, type DraftPicture, newPicture } from './content-draft.ts'
import { RowList } from './Rows.tsx'
import { Uploads } from './Uploads.tsx'

/** `id`: of the prize, which may be moved while its pictures are on their way. */
type Props = { pictures: readonly DraftPicture[]; id: string; path: string }

/** Several files, shown to visitors with the content. */
export function PrizePictures({ pictures, id, path }: Props) {
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
