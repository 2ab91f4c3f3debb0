// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IERC20 {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// @title The memory of a raffle's refunds, and the place of its anchors
/// @notice Whoever calls is the wallet: it pays from its own balance, by its own allowance, and writes in books of
/// its own. A debtor is somebody the wallet owes a refund. A call that is sent twice, late or by a program that
/// has lost its memory pays nothing again, as what is due is counted from the total that was ever paid.
/// @dev No owner, no custody, no upgrade: nobody has rights here that others have not, the contract holds no
/// tokens between or during calls, and its code never changes.
contract RaffleRegister {
    /// @notice What `wallet` has paid or waived to `debtor` in `token`, ever. It never falls.
    mapping(address wallet => mapping(address token => mapping(address debtor => uint256))) public paid;

    /// @param amount What was due, and was asked of the token: `total` less what `paid` was before.
    /// @param total What `paid` is from now on.
    event Paid(
        address indexed wallet,
        address token,
        address indexed debtor,
        address payee,
        uint256 amount,
        uint256 total
    );
    /// @param total What `paid` is from now on; nothing was moved.
    event Waived(address indexed wallet, address token, address indexed debtor, uint256 total);
    event Anchored(address indexed wallet, uint256 indexed eventNumber, bytes32 commitment);

    error Expired(uint256 validUntil);
    error LengthsDiffer();
    error NotAscending(address debtor);
    error TransferFailed(address debtor);

    /// @notice Pays each debtor what his total exceeds `paid`; a total that is not above it pays nothing. All or none.
    /// @param debtors Strictly ascending, so that nobody stands in a call twice.
    /// @param payees Who receives it: the debtor himself, or the address he named instead.
    /// @param totals What the wallet owes each debtor in all, what was paid before included.
    /// @param validUntil The last second, in block time, at which the call may run.
    function payUpTo(
        address token,
        address[] calldata debtors,
        address[] calldata payees,
        uint256[] calldata totals,
        uint256 validUntil
    ) external {
        if (block.timestamp > validUntil) revert Expired(validUntil);
        if (debtors.length != payees.length || debtors.length != totals.length) revert LengthsDiffer();
        address last;
        for (uint256 i = 0; i < debtors.length; i++) {
            if (debtors[i] <= last) revert NotAscending(debtors[i]);
            last = debtors[i];
            pay(token, last, payees[i], totals[i]);
        }
    }

    /// @notice Raises `paid` to each total and moves nothing: the caller will not pay this part through the register.
    /// A total that is not above `paid` changes nothing and leaves no log. It cannot be taken back.
    function waive(address token, address[] calldata debtors, uint256[] calldata totals) external {
        if (debtors.length != totals.length) revert LengthsDiffer();
        mapping(address => uint256) storage books = paid[msg.sender][token];
        for (uint256 i = 0; i < debtors.length; i++) {
            if (totals[i] <= books[debtors[i]]) continue;
            books[debtors[i]] = totals[i];
            emit Waived(msg.sender, token, debtors[i], totals[i]);
        }
    }

    /// @notice Puts a commitment to the ledger of an event on chain, in the caller's name.
    function anchor(uint256 eventNumber, bytes32 commitment) external {
        emit Anchored(msg.sender, eventNumber, commitment);
    }

    /// @dev Remembers, tells, then pays: a token that calls back finds the debt paid.
    function pay(address token, address debtor, address payee, uint256 total) private {
        uint256 before = paid[msg.sender][token][debtor];
        if (total <= before) return;
        paid[msg.sender][token][debtor] = total;
        emit Paid(msg.sender, token, debtor, payee, total - before, total);
        (bool ok, bytes memory answer) =
            token.call(abi.encodeCall(IERC20.transferFrom, (msg.sender, payee, total - before)));
        if (!ok) {
            // With the token's own reason: no allowance, no balance.
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        // Old tokens return nothing, and so does an address without code.
        if (answer.length == 0 ? token.code.length == 0 : !abi.decode(answer, (bool))) revert TransferFailed(debtor);
    }
}
