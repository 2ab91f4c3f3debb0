/** For `client:visible`: an island starts 200 px below the screen, and above it, where others wait for its height. */
export const nearScreen = { rootMargin: '99999px 0px 200px' }
