const creates = 'link.href = dep.href;'

/** What Vite's helper asks for before an `import` carries its hash, as the import map is for scripts alone. */
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
