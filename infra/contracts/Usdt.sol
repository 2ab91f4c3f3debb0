// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// BSC-USD as the local chain has it: the shape of the real token, and an open `mint` to play with.
/// Like the real one it lets anybody move zero from anybody. Name, symbol and decimals are constants
/// because the code is put at the real address without running a constructor.
contract Usdt {
    // slots 0, 1 and 2: chain.ts funds the accounts by writing to 0 and 2
    mapping(address => uint256) private balances;
    mapping(address => mapping(address => uint256)) private allowances;
    uint256 public totalSupply;

    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 18;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function getOwner() external pure returns (address) {
        return address(0);
    }

    function balanceOf(address account) external view returns (uint256) {
        return balances[account];
    }

    function allowance(address owner, address spender) external view returns (uint256) {
        return allowances[owner][spender];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        require(spender != address(0), "BEP20: approve to the zero address");
        allowances[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        move(from, to, value);
        uint256 allowed = allowances[from][msg.sender];
        require(allowed >= value, "BEP20: transfer amount exceeds allowance");
        allowances[from][msg.sender] = allowed - value;
        emit Approval(from, msg.sender, allowed - value);
        return true;
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balances[to] += value;
        emit Transfer(address(0), to, value);
    }

    function move(address from, address to, uint256 value) private {
        require(to != address(0), "BEP20: transfer to the zero address");
        require(balances[from] >= value, "BEP20: transfer amount exceeds balance");
        balances[from] -= value;
        balances[to] += value;
        emit Transfer(from, to, value);
    }
}
