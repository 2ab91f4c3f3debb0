/**
 * For `client:visible`: an island starts 200 px before it comes into sight. One above the screen starts too, as what is below waits
 * for its height, and a page that is loaded anew is scrolled to where it was.
 */
export const nearScreen = { rootMargin: '99999px 0px 200px' }
