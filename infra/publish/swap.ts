import { existsSync, lstatSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Makes the folder `made` what `target` stands for, in one step: `target` is a link to a folder beside it, and the link is
 * replaced. `made` lies beside `target`, too. A folder that is there from before is put aside for the link, the
 * only moment without a target; `recover` ends it where the machine was stopped in it. What `target` stood for before stays
 * until the next publication begins: who had just read the link still opens a file in it.
 */
export function swapIn(made: string, target: string): void {
  const link = `${target}.link`
  const former = isLink(target) ? readlinkSync(target) : undefined
  rmSync(link, { force: true })
  symlinkSync(basename(made), link)
  if (existsSync(target) && former === undefined) renameSync(target, `${target}.old`)
  renameSync(link, target)
  sweep(target, former ?? basename(`${target}.old`))
}

/** At a start: puts back what was put aside, and takes away what was left half done. */
export function recover(target: string): void {
  if (!existsSync(target) && existsSync(`${target}.old`)) {
    rmSync(target, { force: true })
    renameSync(`${target}.old`, target)
  }
  sweep(target)
}

/** All that is ours beside `target`, but for what it stands for and what it stood for before. */
function sweep(target: string, former?: string): void {
  const kept = isLink(target) ? readlinkSync(target) : undefined
  const place = dirname(target)
  const ours = new RegExp(
    `^${RegExp.escape(basename(target))}\\.(old|link|new|pictures|[0-9a-f]{16}(\\..*)?)$`,
  )
  if (!existsSync(place)) return
  for (const name of readdirSync(place))
    if (ours.test(name) && name !== kept && name !== former)
      rmSync(join(place, name), { recursive: true, force: true })
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
