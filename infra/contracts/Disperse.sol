// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Token {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// The call of disperse.app that pays each recipient straight from the caller's wallet, so that the token's
/// logs name that wallet as the sender. It keeps nothing and owns nothing.
contract Disperse {
    function disperseTokenSimple(Token token, address[] calldata recipients, uint256[] calldata values) external {
        for (uint256 i = 0; i < recipients.length; i++)
            require(token.transferFrom(msg.sender, recipients[i], values[i]));
    }
}
