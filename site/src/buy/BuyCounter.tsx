import { lazy, Suspense, useEffect } from 'react'
import { hasRules } from '../house/gate.ts'
import { serverNow } from '../live/clock.ts'
import { useLive, useShown } from '../shell/hooks.ts'
import { island } from '../shell/island.tsx'
import { Stack } from '../shell/Layout.tsx'
import { TermsFold } from '../shell/TermsFold.tsx'
import { t } from '../texts/index.ts'
import { BuySlip } from './BuySlip.tsx'
import styles from './buy.module.css'
import { keepDatedTerms } from './kept-terms.ts'
import { MyTickets } from './MyTickets.tsx'
import { PurchaseSteps } from './PurchaseSteps.tsx'
import { $approving, $purchases, type Purchase } from './purchase.ts'

const HouseParts = lazy(async () => {
  await (await import('../house/watch.ts')).loadWords()
  return { default: (await import('../house/RulesDialog.tsx')).HouseParts }
})

const hasTickets = ({ status, ticketNumber }: Purchase) => status === 'credited' && ticketNumber !== null

/** What was bought, the slip, and below it the rest; one island, as an empty one is never visible. */
export const BuyCounter = island(function BuyCounter() {
  const { config, rules } = useLive()
  const approving = useShown($approving)
  const purchases = useShown($purchases)
  useEffect(() => {
    if (config) keepDatedTerms(config, serverNow())
  }, [config])
  return (
    <div className={styles.counter}>
      <Stack gap={20}>
        {purchases.filter(hasTickets).map((purchase) => (
          <PurchaseSteps key={purchase.sentAt} purchase={purchase} />
        ))}
      </Stack>
      <BuySlip />
      <Stack gap={20}>
        {approving && <PurchaseSteps approving={approving} />}
        {purchases
          .filter((purchase) => !hasTickets(purchase))
          .map((purchase) => (
            <PurchaseSteps key={purchase.sentAt} purchase={purchase} />
          ))}
      </Stack>
      <MyTickets />
      <TermsFold line={config?.terms} title={t.terms.title} />
      {hasRules(rules) && (
        <Suspense>
          <HouseParts />
        </Suspense>
      )}
    </div>
  )
})
