// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Token {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Another token with the same name and the same event.
contract FakeUsdt {
    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 18;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function transfer(address to, uint256 value) external returns (bool) {
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// Events that begin like a transfer and are none.
contract OddShapes {
    bytes32 constant TRANSFER = keccak256("Transfer(address,address,uint256)");

    /// As an NFT has it: the number is a fourth topic.
    function fourTopics(address to, uint256 value) external {
        bytes32 topic = TRANSFER;
        assembly {
            log4(0, 0, topic, caller(), to, value)
        }
    }

    function longData(address to, uint256 value) external {
        bytes32 topic = TRANSFER;
        assembly {
            mstore(0, value)
            mstore(32, value)
            log3(0, 64, topic, caller(), to)
        }
    }

    function noData(address to, uint256) external {
        bytes32 topic = TRANSFER;
        assembly {
            log3(0, 0, topic, caller(), to)
        }
    }

    /// The receiver is in the data, where old tokens have it.
    function twoTopics(address to, uint256 value) external {
        bytes32 topic = TRANSFER;
        assembly {
            mstore(0, to)
            mstore(32, value)
            log2(0, 64, topic, caller())
        }
    }

    /// Success, and nothing at all happens.
    function silent(address, uint256) external pure returns (bool) {
        return true;
    }
}

/// Moves genuine tokens in ways that are not a plain transfer.
contract Mover {
    Token private immutable token;

    constructor(Token token_) {
        token = token_;
    }

    /// Its own money: the payer is this contract.
    function pay(address to, uint256 value) external {
        token.transfer(to, value);
    }

    /// Other people's money, by their allowance: each of them is a payer.
    function payFor(address[] calldata from, address[] calldata to, uint256[] calldata values) external {
        for (uint256 i = 0; i < from.length; i++) token.transferFrom(from[i], to[i], values[i]);
    }

    /// The payment is undone, the transaction succeeds.
    function payAndUndo(address to, uint256 value) external {
        try this.payThenFail(to, value) {} catch {}
    }

    function payThenFail(address to, uint256 value) public {
        token.transfer(to, value);
        revert("undone");
    }

    /// Runs the token's code as its own: the event is this contract's.
    function borrowCode(address to, uint256 value) external {
        (bool ok,) = address(token).delegatecall(abi.encodeCall(Token.transfer, (to, value)));
        require(ok);
    }

    /// Nobody has to allow that nothing is taken.
    function nameVictim(address victim, address to) external {
        token.transferFrom(victim, to, 0);
    }

    /// What `borrowCode` finds in slot 0 as its balance.
    function fund(bytes32 slot, uint256 value) external {
        assembly {
            sstore(slot, value)
        }
    }
}

/// Pays while it is being made: the transaction has no receiver.
contract PayingConstructor {
    constructor(Token token, address from, address to, uint256 value) {
        token.transferFrom(from, to, value);
    }
}

/// A token for measurements: any number of payers in one transaction.
contract Crowd {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function pay(uint160 firstPayer, uint256 payers, address to, uint256 value) external {
        for (uint256 i = 0; i < payers; i++) emit Transfer(address(uint160(firstPayer + i)), to, value);
    }
}
