const creates = 'link.href = dep.href;'

/**
 * Style sheets and preloads that Vite's helper asks for before an `import` carry the hash that the page's import
 * map has for them: the map itself holds for scripts alone.
 */
export const preloadIntegrity = () => ({
  name: 'blockdraw:preload-integrity',
  transform(code: string, id: string): string | undefined {
    if (!id.includes('vite/preload-helper')) return undefined
    if (!code.includes(creates)) throw new Error('Vite preloads in a way that is not known here.')
    return `${code.replace(creates, `${creates} link.integrity = hashes()[dep.pathname] ?? '';`)}
let kept;
const hashes = () => kept ??= JSON.parse(document.querySelector('script[type=importmap]')?.textContent ?? '{}').integrity ?? {};`
  },
})
