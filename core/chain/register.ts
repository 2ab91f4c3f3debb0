import { type Address, type Hash, parseAbi } from 'viem'

/** Puts code at an address that only the code decides; on BNB Smart Chain and on the local chain. */
export const deployer = {
  address: '0x4e59b44847b379578588920cA78FbF26c0B4956C' as Address,
  codeHash: '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989' as Hash,
}

/** RaffleRegister.sol as the deployer makes it with salt 0: the same address on every chain. */
export const register = {
  address: '0x286Ae09cf3f6cBdDD7c4DdEd65883189a73DbfFd' as Address,
  /** keccak256 of the code that lies there: compared before the contract is used. */
  codeHash: '0x18887e330b4b0e107ac462d1420b3d42c801cc0a1935f5a77476092a1868b966' as Hash,
}

/** @internal */
export const registerAbi = parseAbi([
  'function paid(bytes32 book, address token, address debtor) view returns (uint256)',
  'function payUpTo(bytes32 book, address token, address[] debtors, uint256[] totals, uint256 validUntil)',
  'function anchor(bytes32 book, uint256 eventNumber, bytes32 commitment)',
  'event Paid(bytes32 indexed book, address indexed debtor, address indexed wallet, address token, uint256 amount, uint256 total)',
  'event Anchored(address indexed wallet, bytes32 indexed book, uint256 indexed eventNumber, bytes32 commitment)',
  'error Expired(uint256 validUntil)',
  'error LengthsDiffer()',
  'error ZeroDebtor()',
  'error TransferFailed(address debtor, bytes reason)',
])

export const bscChainId = 56

/** BSC-USD on that chain, 18 decimals: the default token that buys tickets. */
export const usdtOnBsc: Address = '0x55d398326f99059fF775485246999027B3197955'

/** One argument in calldata: 32 bytes without 0x. By hand, as an ABI encoder would weigh more than the buy slip. */
export const word = (value: string | bigint): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')

/** Throws for what is no address, and for what no 32 bytes can hold. */
export function checkTransfer(to: Address, units: bigint): void {
  if (!/^0x[0-9a-fA-F]{40}$/.test(to)) throw new TypeError('not an address')
  if (units < 0n || units >= 2n ** 256n) throw new RangeError('units out of range')
}
