// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IERC20 {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// @title The memory of raffles' refunds, and the place of their anchors
/// @notice A book is one raffle, a debtor somebody whom it owes a refund. Anybody may pay a debt of any book, from his
/// own balance by his own allowance, and the money goes to the debtor: `paid` is what he has received.
/// @dev No owner, no custody, no upgrade: nobody has rights here that others have not.
contract RaffleRegister {
    /// @notice What `debtor` has received in `token` on account of `book`, from anybody, ever. It never falls.
    mapping(bytes32 book => mapping(address token => mapping(address debtor => uint256))) public paid;

    event Paid(
        bytes32 indexed book, address indexed debtor, address indexed wallet, address token, uint256 amount, uint256 total
    );
    event Anchored(address indexed wallet, bytes32 indexed book, uint256 indexed eventNumber, bytes32 commitment);

    error Expired(uint256 validUntil);
    error LengthsDiffer();
    error ZeroDebtor();
    /// @param reason What the token answered or reverted with.
    error TransferFailed(address debtor, bytes reason);

    /// @notice Pays each debtor what his total exceeds `paid`; the caller himself, and a total not above it, are passed
    /// over. All or none.
    /// @param totals What each debtor shall have received in all, earlier payments included.
    /// @param validUntil The last second, in block time, at which the call may run.
    function payUpTo(
        bytes32 book,
        address token,
        address[] calldata debtors,
        uint256[] calldata totals,
        uint256 validUntil
    ) external {
        if (block.timestamp > validUntil) revert Expired(validUntil);
        if (debtors.length != totals.length) revert LengthsDiffer();
        for (uint256 i = 0; i < debtors.length; i++) {
            (address debtor, uint256 total) = (debtors[i], totals[i]);
            if (debtor == address(0)) revert ZeroDebtor();
            uint256 before = paid[book][token][debtor];
            if (total <= before || debtor == msg.sender) continue;
            // Remembered before the token is called: a token that calls back finds the debt paid.
            paid[book][token][debtor] = total;
            emit Paid(book, debtor, msg.sender, token, total - before, total);
            (bool ok, bytes memory answer) =
                token.call(abi.encodeCall(IERC20.transferFrom, (msg.sender, debtor, total - before)));
            // Old tokens answer nothing, and so does an address without code.
            bool isTrue = answer.length == 0 ? token.code.length > 0 : bytes32(answer) == bytes32(uint256(1));
            if (!ok || !isTrue) revert TransferFailed(debtor, answer);
        }
    }

    /// @notice Puts a commitment to the ledger of an event on chain, in the caller's name.
    function anchor(bytes32 book, uint256 eventNumber, bytes32 commitment) external {
        emit Anchored(msg.sender, book, eventNumber, commitment);
    }
}
