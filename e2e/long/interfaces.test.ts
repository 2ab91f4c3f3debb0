import { expect, test } from 'vitest'

/** Needs a network of its own, which not every machine lets us have. */
const canTry =
  process.platform === 'linux' &&
  Bun.which('ip') !== null &&
  Bun.which('unshare') !== null &&
  Bun.spawnSync(['unshare', '-rn', 'sh', '-c', 'ip link add here type veth peer name there']).exitCode === 0

test.runIf(canTry)('interfaces of the machine that come and go end no request of a page', async () => {
  const trial = Bun.spawn(
    ['unshare', '-rn', process.execPath, `${import.meta.dirname}/../lab/network-trial.ts`],
    {
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const [out, errors] = await Promise.all([
    new Response(trial.stdout).text(),
    new Response(trial.stderr).text(),
  ])
  expect([errors, out]).toEqual(['', '{"answered":300}\n'])
})
