// SPDX-License-Identifier: Apache-2.0
// The part of ERC-20 that the benchmark calls: a transfer reads two balances, writes both and says so in an event.
pragma solidity 0.8.26;

contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);

    mapping(address => uint256) public balanceOf;

    constructor(address[] memory holders, uint256 each) {
        for (uint256 index = 0; index < holders.length; index++) {
            balanceOf[holders[index]] = each;
            emit Transfer(address(0), holders[index], each);
        }
    }

    function transfer(address to, uint256 value) external returns (bool) {
        require(to != address(0), "to must be an address");
        require(balanceOf[msg.sender] >= value, "The balance is too low");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}
