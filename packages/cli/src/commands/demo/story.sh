#!/usr/bin/env bash
# The whole life of a credential with curl: `symbolon demo --as curl` prints this file. With the demo running
# (npm start), save it as story.sh and run: bash story.sh [demo.json]
# Needs bash, curl and Node, which reads JSON and signs with the keys of the demo's people.
set -euo pipefail
demo=${1:-'.symbolon/dev/demo.json'}

# field NAME...: what stands under these names in the JSON on standard input, all of it without a name.
# It goes into JSON and to the terminal, so a text that would be more than a text there ends the story; inside of JSON it is
# escaped.
field() { node -e 'try { let v = JSON.parse(require("fs").readFileSync(0, "utf8"));
  for (const name of process.argv.slice(1)) v = v[name];
  const unsafe = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u, isText = typeof v === "string";
  if (isText && (/["\\]/.test(v) || unsafe.test(v))) throw new Error("no plain text");
  const escaped = (part) => part.split("").map((u) => "\\u" + u.charCodeAt(0).toString(16).padStart(4, "0")).join("");
  console.log(isText ? v : JSON.stringify(v).replace(new RegExp(unsafe, "gu"), escaped));
} catch { console.error("The answer is not understood."); process.exit(1); }' "$@"; }
of() { field "$@" < "$demo"; }
service=$(of service)

# post PATH [PERSON]: posts the JSON on standard input, with the person's API key where one is named.
post() { curl -sS --fail-with-body -H 'content-type: application/json' --data-binary @- \
  -K <([ -z "${2:-}" ] || printf 'header = "authorization: Bearer %s"' "$(of "$2" apiKey)") --url "$service$1"; }

# sign PERSON ENCODING: the person's Ed25519 signature, in hex, over the hex or utf8 text on standard input.
sign() { node -e 'const { createPrivateKey, sign } = require("crypto"), { readFileSync } = require("fs");
  const [file, person, encoding] = process.argv.slice(1);
  const { privateKey } = JSON.parse(readFileSync(file, "utf8"))[person];
  const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  const number = [...privateKey].reduce((sum, digit) => sum * 58n + BigInt(digits.indexOf(digit)), 0n);
  const der = Buffer.from("302e020100300506032b657004220420" + number.toString(16).slice(8, 72), "hex");
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  console.log(sign(null, Buffer.from(readFileSync(0, "utf8"), encoding), key).toString("hex"));' "$demo" "$@"; }

# 1. The issuer registers a template: a blob, its signature, and the ledger has it.
attribute() { printf '{"key":"%s","attribute":"%s","format":"%s","type":%s,"mandatory":true}' \
  "$1" "$1" "$2" "$(of attributeTypes "$2")"; }
offer=$(post /cred/tds/template/blob/create issuer <<JSON
{"templateName": "University degree $RANDOM$RANDOM$RANDOM", "version": "1.0.0", "issuerDid": "$(of issuer did)",
 "credentialFormat": [$(attribute name string), $(attribute birthDate date), $(attribute degree string),
                      $(attribute grade decimal)]}
JSON
)
# signed OFFER PERSON: the body that hands a signed blob in.
signed() { printf '{"blobId":"%s","signBlob":"%s","publicKey":"%s"}' "$(field blobId <<<"$1")" \
  "$(printf %s "$(field blob <<<"$1")" | sign "$2" hex)" "$(of "$2" publicKey)"; }
registered=$(signed "$offer" issuer | post /cred/tds/template/submit)
templateId=$(field templateId <<<"$registered")
echo "1  template registered, tx $(field txHash <<<"$registered")"

# 2. The holder applies, and signs what it applies with.
metadata='[{"key":"name","value":"Mira Example"},{"key":"birthDate","value":"1999-04-12"},{"key":"degree","value":"BSc Mathematics"},{"key":"grade","value":"1.70"}]'
signature=$(printf '{"templateId":"%s","metadata":%s}' "$templateId" "$metadata" | sign holder utf8)
vcId=$(post /cred/v1/vc/apply <<JSON | field vcId
{"templateId": "$templateId", "metadata": $metadata, "signData": "$signature", "holderPublicKey": "$(of holder publicKey)"}
JSON
)
echo "2  $(of holder name) applies"

# 3. The issuer creates (the service keeps the BBS+ key and signs that part), signs and submits.
draft=$(post /cred/v1/vc/create issuer <<<"{\"vcId\":\"$vcId\",\"templateId\":\"$templateId\",\"expiredDate\":\"2099-12-31T23:59:59Z\"}")
post /cred/v1/vc/submit > /dev/null <<JSON
{"vcId": "$vcId", "ed25519PubKey": "$(of issuer publicKey)",
 "ed25519SignData": "$(printf %s "$(field ed25519Blob <<<"$draft")" | sign issuer hex)",
 "bbsBlsPubKey": "$(of issuer bbsPublicKeyMultibase)", "bbsBlsSignData": "$(field bbsBlsBase64 <<<"$draft")"}
JSON
echo "3  issued: $vcId"

# 4. The holder shows the degree, proves to be of age, and hides the rest.
vc=$(post /cred/v1/vc/download <<<"{\"vcId\":\"$vcId\",\"signVcId\":\"$(printf %s "$vcId" | sign holder utf8)\",\"isIssuer\":false}")
challenge="story-$RANDOM$RANDOM$RANDOM"
request='"revealAttributes":["degree"],"age":{"attribute":"birthDate","minAge":18}'
offer=$(post /cred/v1/vp/create holder <<<"{\"vc\":$vc,$request,\"challenge\":\"$challenge\"}")
vp=$(post /cred/v1/vp/submit <<JSON | field vpObject
{"blobId": "$(field blobId <<<"$offer")", "ed25519PubKey": "$(of holder publicKey)",
 "ed25519SignData": "$(printf %s "$(field blob <<<"$offer")" | sign holder hex)"}
JSON
)
echo "4  presented: ${#vp} characters"

# 5. The verifier verifies what it asked for.
verify() { post /cred/v1/vp/verify verifier <<<"{\"vp\":$vp,\"challenge\":\"$challenge\",\"request\":{$request}}" | field; }
echo "5  $(verify)"

# 6. The issuer revokes, and the same presentation is refused from the next block on.
offer=$(post /cred/v1/vc/revoke/create-blob issuer <<<"{\"vcId\":\"$vcId\",\"issuerAddress\":\"$(of issuer address)\"}")
signed "$offer" issuer | post /cred/v1/vc/revoke/submit > /dev/null
echo "6  revoked"
echo "7  $(verify)"
