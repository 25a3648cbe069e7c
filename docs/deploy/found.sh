#!/bin/sh
# A network of four validators in a folder, made once; run again, it makes what is missing.
set -eu
cd "${1:-/network}"

for owner in council treasury; do
  [ -e "$owner.key" ] || symbolon keys new --out "$owner.key"
done
address() { symbolon keys show "$1.key" --json | node -p 'JSON.parse(fs.readFileSync(0)).address'; }

names="validator-1 validator-2 validator-3 validator-4"
for name in $names; do
  [ -e "$name" ] || symbolon validator init --data "$name" --name "$name" --at "$name"
done
[ -e founding.json ] || symbolon validator genesis --out founding.json \
  --council "$(address council)" --genesis-account "$(address treasury)" \
  --member validator-1/member.json validator-2/member.json validator-3/member.json validator-4/member.json
for name in $names; do
  [ -e "$name/cometbft/config/config.toml" ] || symbolon validator join --data "$name" --founding founding.json
done
