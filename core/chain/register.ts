import { type Address, type Hash, parseAbi } from 'viem'

/** Puts code at an address that only the code decides; on BNB Smart Chain and on the local chain. */
export const deployer = {
  address: '0x4e59b44847b379578588920cA78FbF26c0B4956C' as Address,
  codeHash: '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989' as Hash,
}

/** RaffleRegister.sol as the deployer makes it with salt 0: the same address on every chain. */
export const register = {
  address: '0x0459F0B939a2E5533B48d816631b2C3DEb55bA59' as Address,
  /** keccak256 of the code that lies there: compared before the contract is used. */
  codeHash: '0x70d7519ee1022669701770691b3e3c76d177715d89157d38349920c8c32a0f86' as Hash,
}

/** @internal */
export const registerAbi = parseAbi([
  'function paid(address wallet, address token, address debtor) view returns (uint256)',
  'function payUpTo(address token, address[] debtors, address[] payees, uint256[] totals, uint256 validUntil)',
  'function waive(address token, address[] debtors, uint256[] totals)',
  'function anchor(uint256 eventNumber, bytes32 commitment)',
  'event Paid(address indexed wallet, address token, address indexed debtor, address payee, uint256 amount, uint256 total)',
  'event Waived(address indexed wallet, address token, address indexed debtor, uint256 total)',
  'event Anchored(address indexed wallet, uint256 indexed eventNumber, bytes32 commitment)',
  'error Expired(uint256 validUntil)',
  'error LengthsDiffer()',
  'error NotAscending(address debtor)',
  'error TransferFailed(address debtor)',
])
