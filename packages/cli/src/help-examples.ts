/**
 * Examples at the end of the help, one or two for each command. They are as they would be typed with the demo running;
 * names in capitals stand for what an earlier command has printed.
 */
import type { Command } from 'commander';
import { ownName } from './machine/own-name.ts';

/** By the words that name the command. */
export const helpExamples: Readonly<Record<string, readonly string[]>> = {
  dev: ['dev', 'dev --data .symbolon/other --ledger-port 0 --service-port 0'],
  demo: ['demo', 'demo --as curl'],
  doctor: ['doctor', 'doctor --data .symbolon/mine --json'],
  reset: ['reset --yes'],
  completion: ['completion bash > ~/.local/share/bash-completion/completions/symbolon'],
  'profile add': [
    'profile add choir --service https://credentials.example --ledger https://node.example --person issuer=choir.key',
    'profile add choir --from choir.json --here',
  ],
  'profile list': ['profile list'],
  'profile use': ['profile use choir', 'profile use dev --here'],
  'profile show': ['profile show', 'profile show choir --json'],
  'issuer init': [
    'issuer init choir --service https://credentials.example --ledger https://node.example',
    'issuer init choir --data .symbolon/service --fund-from .symbolon/mine/genesis-account.key',
  ],
  'template create': [
    'template create --name "Library card" --attribute name:string:required --attribute until:date',
    'template create template.json --version 1.1.0',
    'template create template.json --version 1.2.0 --accept-unbound',
  ],
  'template list': ['template list', 'template list --search degree --json'],
  'template show': ['template show "University degree"'],
  'template price': ['template price "University degree" --amount 1gas'],
  'template auto-issue': [
    'template auto-issue "University degree" --per-day 100 --valid-days 365 --leave-key',
  ],
  'offer new': [
    'offer new "University degree" --file values.json --reference mira@example.org --qr',
    'offer new "University degree" --file values.json --pin --expires 3d',
    'offer new "University degree" --file values.json --openid --format bbs-2023 --qr',
  ],
  'offer many': ['offer many "University degree" graduates.csv --reference email --out links.csv --dry-run'],
  'offer list': ['offer list --state accepted'],
  'offer withdraw': ['offer withdraw ID'],
  'vc apply': ['vc apply "Transcript of records" --file values.json'],
  'vc held': ['vc held', 'vc held --as holder2 --json'],
  'vc download': ['vc download ID --out credential.json'],
  'vc status': ['vc status ID'],
  'vc list': ['vc list --state Pending'],
  'vc show': ['vc show ID'],
  'vc issue': ['vc issue ID --valid-until 2030-12-31', 'vc issue ID --holder did:zid:5d41… --set grade=1.7'],
  'vc reject': ['vc reject ID --reason "the student number is not ours"'],
  'vc suspend': ['vc suspend ID --reason "under review"'],
  'vc reinstate': ['vc reinstate ID'],
  'vc revoke': ['vc revoke ID --reason "issued by mistake"'],
  'vc issue-many': [
    'vc issue-many "University degree" --csv graduates.csv --dry-run',
    'vc issue-many "University degree" --csv graduates.csv --reference-column email',
  ],
  'vp create': [
    'vp create credential.json --reveal degree --age birthDate:18.. --out presentation.json',
    'vp create credential.json --reveal degree,faculty --challenge TEXT --out presentation.json',
  ],
  'vp show': ['vp show presentation.json'],
  verify: [
    'verify presentation.json --ask degree --age birthDate:18.. --challenge TEXT',
    'verify presentation.json --trust DID --trust @universities --template "University degree"',
    'verify presentation.json --offline --facts facts.json --trust trust.json',
    'verify presentation.json --offline --facts facts.json --facts-by DID --max-age 12h',
    'verify .symbolon/backup --made-by ADDRESS',
  ],
  'verify facts': ['verify facts presentation.json --out facts.json'],
  request: [
    'request --template "University degree" --ask degree --qr --wait',
    'request --ask degree --trust @universities --wait',
  ],
  'trust list add': [
    'trust list add universities DID --name "University of Example" --template "University degree"',
  ],
  'trust list remove': ['trust list remove universities DID'],
  'trust list show': ['trust list show', 'trust list show universities --json > trust.json'],
  listen: [
    'listen',
    'listen --events --as issuer',
    'listen --port 9000 --forward-to http://127.0.0.1:3000/callback',
  ],
  'wallet add': ['wallet add', 'wallet add credential.json'],
  'wallet list': ['wallet list', 'wallet list --json'],
  'wallet show': ['wallet show 3f2a91c0'],
  'wallet applications': ['wallet applications'],
  'wallet apply': ['wallet apply "Transcript of records" --file values.json'],
  'wallet present': ['wallet present -', 'wallet present LINK --credential 3f2a91c0 --yes'],
  'wallet answer': ['wallet answer LINK', 'wallet answer LINK --credential 3f2a91c0 --yes'],
  'wallet accept': ['wallet accept -', 'wallet accept LINK --pin-file pin.txt --yes'],
  mcp: ['mcp --as holder --may-reveal degree'],
  'did show': ['did show issuer', 'did show DID --version-time 2026-01-31'],
  'did publish-key': ['did publish-key MULTIBASE --key my.key --valid-until 2030-12-31'],
  'did rotate-key': ['did rotate-key 1 MULTIBASE --key my.key'],
  'did end-key': [
    'did end-key 1 --key my.key --public-key MULTIBASE',
    'did end-key 1 --key my.key --compromised --since 2026-01-31T12:00:00Z',
  ],
  'did name': ['did name "University of Example" --key my.key', 'did name --end --key my.key'],
  'did deactivate': ['did deactivate --key my.key --yes'],
  'keys new': ['keys new --out my.key', 'keys new --out my.key --encrypt'],
  'keys show': ['keys show my.key'],
  'keys export': ['keys export my.key --out safe.key', 'keys export my.key --out other-tool.json --family'],
  'keys address': ['keys address DID'],
  'account show': ['account show holder'],
  'account balance': ['account balance holder', 'account balance ADDRESS --json'],
  'account history': ['account history issuer --limit 5'],
  'account metadata': ['account metadata issuer', 'account metadata issuer --entry color'],
  'account create': ['account create ADDRESS --balance 5gas'],
  'account set-metadata': ['account set-metadata color green', 'account set-metadata color --delete'],
  'tx pay': [
    'tx pay holder 1000000',
    'tx pay ADDRESS 1000000 --key my.key --fee-limit-max 5000 --gas-price-max 10',
  ],
  'tx show': ['tx show HASH'],
  'tx wait': ['tx wait HASH --timeout 10'],
  'tx build': ['tx build holder 1000000 --source issuer --out payment.json'],
  'tx sign': ['tx sign payment.json --key my.key'],
  'tx submit': ['tx submit payment.json'],
  'tx decode': ['tx decode payment.json'],
  'contract new': ['contract new notice-board'],
  'contract check': ['contract check contracts/token.js'],
  'contract test': ['contract test contracts'],
  'contract deploy': [
    'contract deploy contracts/token.js --as issuer',
    'contract deploy mine.js --key my.key',
  ],
  'contract upgrade': ['contract upgrade ADDRESS mine.js --key my.key'],
  'contract call': [
    'contract call ADDRESS --query --input \'{"method":"contractInfo"}\'',
    'contract call ADDRESS --as issuer --input TEXT',
  ],
  tail: ['tail', 'tail --only service --as issuer', 'tail --account holder --count 10 --json'],
  'node init': [
    'node init --data .symbolon/mine',
    'node init --data .symbolon/mine --port 46002 --socket-port 46003',
    'node init --data .symbolon/try --development',
  ],
  'network init': [
    'network init --dir .symbolon/network',
    'network init --validators 7 --dir .symbolon/seven',
  ],
  'network up': ['network up --dir .symbolon/network', 'network up --dir .symbolon/network --detach'],
  'network status': [
    'network status --dir .symbolon/network',
    'network status --dir .symbolon/network --json',
  ],
  'network start': ['network start 2 --dir .symbolon/network'],
  'network stop': ['network stop 2 --dir .symbolon/network', 'network stop --dir .symbolon/network'],
  'network kill': ['network kill 2 --dir .symbolon/network'],
  'network add-validator': ['network add-validator --dir .symbolon/network'],
  'network snapshot': ['network snapshot --dir .symbolon/network'],
  'network join': ['network join --dir .symbolon/network', 'network join 3 --yes --dir .symbolon/network'],
  'network upgrade': [
    'network upgrade --after 250000 --to 0.2.0 --dir .symbolon/network',
    'network upgrade --cancel --dir .symbolon/network',
  ],
  'network remove-validator': ['network remove-validator 5 --dir .symbolon/network'],
  'chain time': ['chain time +1d --data .symbolon/try'],
  'chain snapshot': ['chain snapshot --data .symbolon/try'],
  'chain revert': ['chain revert 1 --data .symbolon/try'],
  'chain faucet': ['chain faucet ADDRESS 10000000 --data .symbolon/try'],
  'node start': [
    'node start --data .symbolon/mine',
    'node start --data .symbolon/mine --port 0 --socket-port 0',
    'node start --data .symbolon/mine --begin-again',
  ],
  'node status': ['node status', 'node status --ledger http://127.0.0.1:36004'],
  'node export': ['node export --data .symbolon/mine --out chain.jsonl'],
  'node verify': [
    'node verify --data .symbolon/mine --save checkpoint',
    'node verify --data .symbolon/mine --from checkpoint',
  ],
  'service init': [
    'service init --data .symbolon/service --node http://127.0.0.1:46002 --port 48080',
    'service init --data .symbolon/service --with-issuer choir --fund-from .symbolon/mine/genesis-account.key',
  ],
  'service start': [
    'service start --data .symbolon/service',
    'service start --data .symbolon/service --begin-again',
  ],
  'signer init': [
    'signer init --data .symbolon/signer --connect unix:///run/symbolon/signer.sock',
    'signer init --data .symbolon/signer --connect unix:///run/symbolon/signer.sock --from-home .symbolon/network/node-1/cometbft',
  ],
  'signer join': [
    'signer join --data .symbolon/signer --genesis .symbolon/validator/cometbft/config/genesis.json',
  ],
  'signer show': ['signer show --data .symbolon/signer'],
  'signer start': ['signer start --data .symbolon/signer'],
  'validator init': [
    'validator init --data .symbolon/validator --name alpha --at validator.example',
    'validator init --data .symbolon/validator --name alpha --at validator.example:36656 --signer .symbolon/signer',
  ],
  'validator genesis': [
    'validator genesis --member alpha.json beta.json --council ADDRESS --genesis-account ADDRESS --out founding.json',
  ],
  'validator join': ['validator join --data .symbolon/validator --founding founding.json'],
  'validator change': [
    'validator change --data .symbolon/validator --add erin.json --out change.json',
    'validator change --data .symbolon/validator --remove erin.json --out change.json',
  ],
  'validator units': ['validator units --data .symbolon/validator --out /etc/systemd/system'],
  'service status': ['service status', 'service status --service http://127.0.0.1:8081'],
  'service reconcile': [
    'service reconcile --data .symbolon/service',
    'service reconcile --data .symbolon/service --yes',
  ],
  'service key create': [
    'service key create --data .symbolon/service --did DID --scope templates issue revoke bbs',
  ],
  'service key list': ['service key list --data .symbolon/service'],
  'service key revoke': ['service key revoke ID --data .symbolon/service'],
  'config check': ['config check --data .symbolon/dev'],
  'config print': ['config print --data .symbolon/dev --json'],
  backup: [
    'backup --data .symbolon/dev --out .symbolon/backup',
    'backup --data .symbolon/service --out .symbolon/backup --key my.key',
  ],
  restore: [
    'restore --from .symbolon/backup --data .symbolon/restored',
    'restore --from .symbolon/backup --data .symbolon/restored --made-by ADDRESS --yes',
  ],
};

const closing = `${ownName === 'symbolon' ? '' : `\nType "${ownName} COMMAND" where this says "symbolon COMMAND".`}
The first five minutes: symbolon demo, symbolon template list, symbolon vc held.
More: docs/cli.md`;

export function addHelpExamples(program: Command): void {
  program.addHelpText('after', closing);
  for (const command of program.commands) addBelow(command, command.name());
}

function addBelow(command: Command, words: string): void {
  const lines = Object.hasOwn(helpExamples, words) ? helpExamples[words] : undefined;
  if (lines) {
    const title = lines.length === 1 ? 'Example:' : 'Examples:';
    command.addHelpText('after', `\n${title}\n${lines.map((line) => `  symbolon ${line}`).join('\n')}`);
  }
  for (const below of command.commands) addBelow(below, `${words} ${below.name()}`);
}
