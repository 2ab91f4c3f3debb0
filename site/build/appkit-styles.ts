/** The two files of AppKit that create style elements, and how often each does. */
const makers = [
  [/@reown\/appkit-ui\/.*\/utils\/ThemeUtil\.js$/, 4],
  [/@reown\/appkit-scaffold-ui\/.*\/w3m-modal\/index\.js$/, 1],
] as const

/** A style element as far as AppKit uses one, but without inline text, which the policy forbids. */
const standIn = `
let newest;
const sheetElement = () => {
  const sheet = new CSSStyleSheet();
  let text = '';
  newest = {
    sheet,
    dataset: {},
    get textContent() { return text },
    set textContent(value) { text = value; sheet.replaceSync(value) },
    get media() { return sheet.media.mediaText },
    set media(value) { sheet.media.mediaText = value },
    removeAttribute() { sheet.media.mediaText = '' },
    remove() { drop(this) },
  };
  return newest;
};
const adopt = (element) => {
  if (element.sheet instanceof CSSStyleSheet) document.adoptedStyleSheets.push(element.sheet);
  else document.head.appendChild(element);
};
const drop = ({ sheet }) => {
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
};`

/** AppKit's styles as constructed style sheets: pages with WalletConnect need no 'unsafe-inline' for elements. */
export const appkitStyles = () => ({
  name: 'blockdraw:appkit-styles',
  transform(code: string, id: string): string | undefined {
    const maker = makers.find(([name]) => name.test(id.split('?')[0] ?? ''))
    if (!maker) return undefined
    const creates = /document\.createElement\(['"]style['"]\)/g
    if (code.match(creates)?.length !== maker[1])
      throw new Error('AppKit makes its styles in a way that is not known here.')
    return (
      code
        .replaceAll(creates, 'sheetElement()')
        .replaceAll('document.head.appendChild(', 'adopt(')
        .replaceAll('document.head.removeChild(', 'drop(')
        .replaceAll(/document\.head\.querySelector\(`style\[[^`]*`\)/g, 'newest') + standIn
    )
  },
})
