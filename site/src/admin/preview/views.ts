/** What a content is shown on, besides the home page. */
export const otherViews = ['event', 'card'] as const
export type View = 'home' | (typeof otherViews)[number]
