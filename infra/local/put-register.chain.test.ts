import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, concat, type Hex, keccak256, pad } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { deployer, register } from '../../core/chain/register.ts'
import { accountsOf, heightOf, sendMined } from '../../e2e/lab/chain-verbs.ts'
import raffleRegister from '../contracts/raffle-register.json' with { type: 'json' }
import { startChain } from './chain.ts'
import { rpc } from './rpc.ts'

const dir = mkdtempSync(join(tmpdir(), 'blockdraw-register-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const codeHash = async (url: string, address: Address): Promise<Hex> =>
  keccak256(await rpc<Hex>(url, 'eth_getCode', [address, 'latest']))

test('a transaction to the deployer puts the register at its address, once', async () => {
  const { url, stop } = await startChain({ blockTime: null })
  await rpc(url, 'anvil_setCode', [register.address, '0x'])
  const [from] = (await accountsOf(url)) as [Address]
  const data = concat([pad('0x'), raffleRegister.bytecode as Hex])
  const deploy = () => sendMined(url, { from, to: deployer.address, data, gas: '0x1e8480' })
  await deploy()
  expect(await codeHash(url, register.address)).toBe(register.codeHash)
  await expect(rpc(url, 'eth_call', [{ from, to: deployer.address, data }])).rejects.toThrow()
  expect(await codeHash(url, register.address)).toBe(register.codeHash)
  await stop()
})

test('the local chain has the register from its first block, and after a start with its old state', async () => {
  const options = { stateFile: join(dir, 'kept.json'), blockTime: null }
  const first = await startChain(options)
  expect(await codeHash(first.url, register.address)).toBe(register.codeHash)
  expect(await heightOf(first.url)).toBe(0)
  const [wallet] = (await accountsOf(first.url)) as [Address]
  const slot = pad('0x7')
  await rpc(first.url, 'anvil_setStorageAt', [register.address, slot, pad(wallet)])
  await first.stop()

  const second = await startChain(options)
  expect(await codeHash(second.url, register.address)).toBe(register.codeHash)
  expect(await rpc(second.url, 'eth_getStorageAt', [register.address, slot, 'latest'])).toBe(
    pad(wallet).toLowerCase(),
  )
  // A state of a release that had no register.
  await rpc(second.url, 'anvil_setCode', [register.address, '0x'])
  await second.stop()
  const third = await startChain(options)
  expect(await codeHash(third.url, register.address)).toBe(register.codeHash)
  await third.stop()
})

test.each([
  ['deployer', deployer.address],
  ['register', register.address],
])('the local chain does not start with other code in the place of the %s', async (name, address) => {
  const options = { stateFile: join(dir, `${name}.json`), blockTime: null }
  const chain = await startChain(options)
  await rpc(chain.url, 'anvil_setCode', [address, '0x00'])
  await chain.stop()
  await expect(startChain(options)).rejects.toThrow(`another contract than the ${name}`)
})
