/**
 * The modules that every visit of the public page needs, which go into one file: a dozen small ones would load half as fast.
 * They have no side effects when loaded, as other pages share some of them. @internal
 */
export const firstView: readonly string[] = [
  'core/live/public.ts',
  'core/event/event.ts',
  'core/errors.ts',
  'core/chain/register.ts',
  'site/src/content/site.ts',
  'site/src/live/clock.ts',
  'site/src/live/countdown.ts',
  'site/src/live/facts.ts',
  'site/src/live/history.ts',
  'site/src/live/live.ts',
  'site/src/live/live-source.ts',
  'site/src/live/page-changes.ts',
  'site/src/live/shared-source.ts',
  'site/src/live/stage.ts',
  'site/src/buy/by-hand.ts',
  'site/src/buy/sale.ts',
  'site/src/shell/api.ts',
  'site/src/shell/dates.ts',
  'site/src/shell/early.ts',
  'site/src/shell/language.ts',
  'site/src/shell/section.ts',
  'site/src/shell/storage.ts',
  'site/src/shell/theme.ts',
  'site/src/shell/toast.ts',
  'site/src/house/gate.ts',
  'site/src/house/gate-watch.ts',
  'site/src/texts/fill.ts',
  'site/src/texts/index.ts',
  'site/src/wallet/eip1193.ts',
  'site/src/wallet/pinned.ts',
  'site/src/wallet/wallet.ts',
  'site/src/winner/courier.ts',
  'site/src/winner/overlay.ts',
  'site/src/winner/overlay-state.ts',
]

/** Matches these modules and the stores that they stand on, by their whole path. */
export const isFirstView = new RegExp(
  ['node_modules/nanostores/', ...firstView.map((path) => `/${path.replaceAll('.', '\\.')}$`)].join('|'),
)
