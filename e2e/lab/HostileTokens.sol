// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A token that moves what it is asked to, or something else, and answers what it is told to answer. Before it
/// moves anything it makes one call for somebody, if that was prepared: as a token with hooks does.
contract MoodyToken {
    enum Mood {
        ReturnsTrue,
        ReturnsNothing,
        ReturnsFalse,
        ReturnsTwo,
        ReturnsOneByte,
        Reverts,
        RevertsSilently,
        MovesNothing,
        TakesAFee
    }

    Mood public mood;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public balanceOf;
    address private callee;
    bytes private prepared;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event CalledBack(bool ok);

    function setMood(Mood mood_) external {
        mood = mood_;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function approve(address spender, uint256 value) external {
        allowance[msg.sender][spender] = value;
    }

    /// The next transfer begins with this call.
    function prepare(address callee_, bytes calldata data) external {
        callee = callee_;
        prepared = data;
    }

    function transferFrom(address from, address to, uint256 value) external {
        if (mood == Mood.Reverts) revert("the token refuses");
        if (mood == Mood.RevertsSilently) revert();
        if (callee != address(0)) callBack();
        if (mood == Mood.ReturnsFalse) answer(0, 32);
        if (mood != Mood.MovesNothing) {
            require(allowance[from][msg.sender] >= value, "no allowance");
            allowance[from][msg.sender] -= value;
            balanceOf[from] -= value;
            uint256 arriving = mood == Mood.TakesAFee ? value - value / 10 : value;
            balanceOf[to] += arriving;
            emit Transfer(from, to, arriving);
        }
        if (mood == Mood.ReturnsNothing) answer(0, 0);
        if (mood == Mood.ReturnsTwo) answer(2, 32);
        if (mood == Mood.ReturnsOneByte) answer(uint256(1) << 248, 1);
        answer(1, 32);
    }

    function callBack() private {
        address to = callee;
        callee = address(0);
        (bool ok,) = to.call(prepared);
        emit CalledBack(ok);
    }

    /// Ends the call.
    function answer(uint256 word, uint256 size) private pure {
        assembly {
            mstore(0, word)
            return(0, size)
        }
    }
}

/// A wallet that does whatever anybody asks: a token can call back in its name.
contract OpenWallet {
    function execute(address to, bytes calldata data) external {
        (bool ok, bytes memory answer) = to.call(data);
        if (!ok)
            assembly {
                revert(add(answer, 32), mload(answer))
            }
    }
}
