import { openTestChain, verified } from '@symbolon/ledger-node/testing/test-chain';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { hostileContracts } from './hostile-contracts.ts';
const chain = await openTestChain();
let nonce = 0n;
const exec = async (op: any) => { const t = performance.now(); const p = await chain.prepare([verified({ nonce: ++nonce, feeLimit: 10n**12n, operations: [op] })], chain.head.closeTime + 1n); const ms = performance.now() - t; await chain.commit(p, Uint8Array.of(1)); if (!p.executed.executed.length) nonce--; return { ms, r: p.executed.records[0], gas: p.executed.executed[0]?.outcome.contractGas, n: p.executed.records.length }; };
const rows: any[] = [];
const wide = '"\\u4e2d"';
const m = (name: string, body: string, extra = '') => ({ name, code: `"use strict"; function init(i) { return i; } ${extra} function main(input) { let i = 0; ${body} }`, call: 0 });
const bodies = [
 m('load wide 200k', `const k = ${wide}.repeat(200000); while (true) { Chain.load(k); }`),
 m('load wide 1k', `const k = ${wide}.repeat(1000); while (true) { Chain.load(k); }`),
 m('load wide 340', `const k = ${wide}.repeat(340); while (true) { i += 1; Chain.load(k + i); }`),
 m('getBalance wide', `const k = ${wide}.repeat(1000); while (true) { i += 1; Chain.getBalance(k + i); }`),
 m('asset wide', `const k = ${wide}.repeat(500); while (true) { i += 1; Chain.getAccountAsset(Chain.thisAddress, { issuer: k, code: k + i }); }`),
 m('store wide 87k', `const k = ${wide}.repeat(87000); while (i < 500) { i += 1; Chain.store("k" + i, k); } return true;`),
 m('store wide 5k', `const k = ${wide}.repeat(5000); while (i < 500) { i += 1; Chain.store("k" + i, k); } return true;`),
 m('store wide 1k', `const k = ${wide}.repeat(1000); while (i < 500) { i += 1; Chain.store("k" + i, k); } return true;`),
 m('paycoin input wide', `const k = ${wide}.repeat(300000); while (i < 500) { i += 1; Chain.payCoin(Chain.msg.sender, "0", k); } return true;`),
 m('query wide', `while (true) { Chain.contractQuery(Chain.thisAddress, ""); }`, `function query(i) { return ${wide}.repeat(5000000); }`),
 m('query wide in', `const k = ${wide}.repeat(5000000); while (true) { Chain.contractQuery(Chain.thisAddress, k); }`, `function query(i) { return i; }`),
 m('selfcreate', `while (true) { i += 1; Chain.contractCreate("0", 0, "\\"use strict\\"; function init(i) { return i; } // " + i, ""); }`),
 m('selfcreate big', `const c = " ".repeat(100000); while (true) { i += 1; Chain.contractCreate("0", 0, "\\"use strict\\"; function init(i) { return i; } // " + c + i, ""); }`),
 m('log wide', `const k = ${wide}.repeat(300); while (i < 512) { i += 1; Chain.tlog("t", k, k, k, k, k); } return true;`),
 m('utils log wide', `const k = ${wide}.repeat(1000000); while (true) { Utils.log(k); }`),
 m('utils addr wide', `const k = ${wide}.repeat(1000000); while (true) { Utils.addressCheck(k); }`),
 m('utils check wide', `const k = ${wide}.repeat(1000000); while (true) { Utils.stoI64Check(k); }`),
 m('utils hex', `const k = "ab".repeat(500000); while (true) { Utils.sha256(k); }`),
 m('utils hex wide', `const k = ${wide}.repeat(1000000); while (true) { Utils.sha256(k, 1); }`),
 m('utils obj', `const o = []; while (i < 3000) { i += 1; o.push(i); } while (true) { Utils.log(o); }`),
 m('json arg', `const o = {}; while (i < 3000) { i += 1; o["k" + i] = "v"; } while (true) { Chain.load(o); }`),
 m('pow', `while (true) { Utils.int256Pow("3", "160"); }`),
 m('sqrt', `while (true) { Utils.int256Sqrt("57896044618658097711785492504343953926634992332820282019728792003956564819967"); }`),
 m('ecverify', `while (true) { Utils.ecVerify("00".repeat(64), "b00103a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8f537f5475", "00"); }`),
 m('assert big', `const k = ${wide}.repeat(1000000); while (true) { Utils.assert(true, k); }`),
 m('delegate', `while (true) { Chain.delegateQuery(Chain.thisAddress, "x"); }`, `function query(i) { return i; }`),
 m('depth queries', `while (true) { Chain.contractQuery(Chain.thisAddress, "x"); }`, `function query(i) { return Chain.contractQuery(Chain.thisAddress, i).result; }`),
];
for (const h of bodies as any[]) {
  const d = await exec(operation('createAccount', { contract: { payload: h.code }, priv: { thresholds: { txThreshold: 1n } } }));
  if (!d.r || d.r.errorCode) { console.log('deploy', h.name, d.r?.errorDesc); continue; }
  const a = JSON.parse(d.r.errorDesc)[0].contract_address;
  const c = await exec(operation('payCoin', { destAddress: a, input: 'x' }));
  const c2 = await exec(operation('payCoin', { destAddress: a, input: 'x' }));
  rows.push([Math.min(c.ms, c2.ms).toFixed(0), h.name, c.r?.errorCode, c.r?.errorDesc.slice(0, 100), c.gas, c.n, (process.memoryUsage.rss()/1e6).toFixed(0)]);
}
rows.sort((a, b) => b[0] - a[0]);
console.log(rows.map(r => r.join('  ')).join('\n'));
