import { contentLimits as most } from '../../../../core/content/event-content.ts'
import { t } from '../language/t.ts'
import { BothFields } from './ContentForm.tsx'

/** What the event says of itself before its prizes. */
export const ContentTexts = () => (
  <>
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
  </>
)

export const ShippingTexts = () => (
  <BothFields label={t('배송 안내')} path="shipping" max={most.shipping} rows={2} />
)
