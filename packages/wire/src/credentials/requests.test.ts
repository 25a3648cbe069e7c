import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeBase58, encodeBase64Url, encodeHex } from '@symbolon/core/basics/bytes';
import type { Fault } from '@symbolon/core/faults/faults';
import fc from 'fast-check';
import { readServiceRequest, type ServiceRequestOf, type ServiceRoute } from '../http/service-route.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../json/json.ts';
import { credentialRoutes as routes } from './routes.ts';

const vcId = `did:zid:${'ab'.repeat(32)}`;
const did = `did:zid:${'01'.repeat(32)}`;
const signature = 'ff'.repeat(64);
const key = '0a'.repeat(32);

const read = <Route extends ServiceRoute>(route: Route, body: JsonValue): ServiceRequestOf<Route> =>
  readServiceRequest(route, { body });
const refuses = (route: ServiceRoute, body: JsonValue, code: string, pointer?: string) =>
  assert.throws(
    () => read(route, body),
    (error: Fault) => error.code === code && (pointer === undefined || error.errors[0].pointer === pointer),
    `${code} for ${stringifyJson(body).slice(0, 200)}`,
  );

describe('template requests', () => {
  const attribute = { attribute: 'Name', format: 'STRING', key: 'name', mandatory: 1, type: 'USER' };
  const draft = { templateName: 'T', credentialFormat: [attribute], version: '1' };

  it('read every spelling of the issuer', () => {
    for (const spelling of ['issuerDid', 'issuerDID', 'issuerZid', 'issuerZID']) {
      assert.deepEqual(read(routes.createTemplateBlob, { ...draft, [spelling]: did, remark: null }), {
        name: 'T',
        version: '1',
        issuer: did,
        attributes: [{ key: 'name', label: 'Name', type: 'USER', format: 'STRING', mandatory: true }],
      });
    }
    const accepting = read(routes.createTemplateBlob, { ...draft, issuerDid: did, acceptUnbound: true });
    assert.equal((accepting as { acceptsUnbound?: boolean }).acceptsUnbound, true);
    for (const acceptUnbound of [false, null]) {
      const other = read(routes.createTemplateBlob, { ...draft, issuerDid: did, acceptUnbound });
      assert.equal('acceptsUnbound' in (other as object), false);
    }
    const unclear = { ...draft, issuerDid: did, acceptUnbound: 'yes' };
    refuses(routes.createTemplateBlob, unclear, 'requestMalformed', '/acceptUnbound');
    const both = { ...draft, issuerDid: did, issuerDID: `${did}0` };
    refuses(routes.createTemplateBlob, both, 'requestMalformed', '/issuerDid');
  });

  it('read one signer or a list of them', () => {
    const signer = { signBlob: signature.toUpperCase(), publicKey: `b001${key}01020304` };
    const flat = read(routes.submitTemplate, { blobId: 'ab1', ...signer });
    const listed = read(routes.submitTemplate, { blobId: 'AB1', signerList: [signer] });
    assert.deepEqual(flat, listed);
    assert.equal(flat.blobId, 'AB1');
    assert.equal(encodeHex(flat.signers[0].publicKey.bytes), key);
    assert.equal(flat.signers[0].publicKey.encoded, signer.publicKey);
    for (const publicKey of [`b002${key}01020304`, `${key}00`, `g${key.slice(1)}`, '']) {
      const code = publicKey === '' ? 'requestMalformed' : 'publicKeyMalformed';
      refuses(routes.submitTemplate, { blobId: 'x', signBlob: signature, publicKey }, code, '/publicKey');
    }
    for (const signBlob of [signature.slice(2), `${signature}00`, 'zz'.repeat(64)]) {
      refuses(
        routes.submitTemplate,
        { blobId: 'x', signBlob, publicKey: key },
        'signatureMalformed',
        '/signBlob',
      );
    }
    refuses(routes.submitTemplate, { blobId: 'x', signerList: [] }, 'requestMalformed', '/signerList');
  });
});

describe('applications', () => {
  const flat = { templateId: vcId, metadata: [{ key: 'name', value: 'Ada' }], signData: signature };
  const element = { templateId: vcId, metadata: { name: 'Ada', age: 36, member: true, note: null } };

  it('read the flat form, and tell what the holder signs', () => {
    const request = read(routes.applyForCredential, flat);
    assert.deepEqual([...request.attributes], [['name', 'Ada']]);
    assert.equal(request.publicKey, undefined);
    assert.deepEqual(request.signedTexts, [
      `{"metadata":[{"key":"name","value":"Ada"}],"templateId":"${vcId}"}`,
      `{"templateId":"${vcId}","metadata":[{"key":"name","value":"Ada"}]}`,
    ]);
  });

  it('read the older form, whose array is signed as it was sent', () => {
    const body = { data: [{ ...element, tds: 'x' }], signData: signature, publicKey: key };
    const request = read(routes.applyForCredential, body);
    assert.deepEqual(
      [...request.attributes],
      [
        ['name', 'Ada'],
        ['age', 36],
        ['member', true],
      ],
    );
    assert.ok(request.signedTexts.includes(JSON.stringify(body.data)));
    assert.equal(request.templateId, vcId);
  });

  it('take identifiers in either case, and sign them as sent', () => {
    const templateId = `did:zid:${'AB'.repeat(32)}`;
    const request = read(routes.applyForCredential, { ...flat, templateId });
    assert.equal(request.templateId, vcId);
    assert.ok(request.signedTexts.every((text) => text.includes(templateId)));
  });

  it('refuse what could be read in two ways', () => {
    const bad: [JsonObject, string][] = [
      [
        {
          ...flat,
          metadata: [
            { key: 'a', value: 'x' },
            { key: 'a', value: 'y' },
          ],
        },
        '/metadata/1',
      ],
      [{ ...flat, metadata: [{ key: 'a' }] }, '/metadata/0'],
      [{ ...flat, metadata: [{ value: 'a' }] }, '/metadata/0'],
      [{ ...flat, metadata: ['a'] }, '/metadata/0'],
      [{ ...flat, metadata: { a: ['x'] } }, '/metadata/a'],
      [{ ...flat, metadata: { a: 2n ** 60n } }, '/metadata/a'],
      [{ ...flat, metadata: { a: 'x'.repeat(400_000) } }, '/metadata/a'],
      [{ ...flat, metadata: JSON.parse('{"__proto__":"x"}') }, '/metadata/__proto__'],
      [{ ...flat, metadata: { a: '\ud800' } }, '/metadata'],
      [{ ...flat, data: [] }, '/data'],
      [{ ...flat, data: [element, element] }, '/data'],
      [{ data: [{ metadata: {} }], signData: signature }, '/data/0/templateId'],
      [{ data: [{ templateId: vcId }], signData: signature }, '/data/0/metadata'],
    ];
    for (const [body, pointer] of bad) refuses(routes.applyForCredential, body, 'requestMalformed', pointer);
    const many = Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`k${index}`, '1']));
    refuses(routes.applyForCredential, { ...flat, metadata: many }, 'requestMalformed', '/metadata');
  });

  it('refuse members that are not known, at every depth, and two that say different things', () => {
    const older = { data: [element], signData: signature, publicKey: key };
    const bad: [JsonObject, string][] = [
      [{ ...flat, metadata: [{ key: 'name', value: 'Ada', zz: 1 }] }, '/metadata/0/zz'],
      [{ ...older, data: [{ ...element, expirationDate: '2027-01-01' }] }, '/data/0/expirationDate'],
      [{ ...older, data: [{ ...element, metaData: {} }] }, '/data/0/metaData'],
      [{ ...older, templateId: `did:zid:${'cd'.repeat(32)}` }, '/templateId'],
      [{ ...older, metadata: { name: 'Eve' } }, '/metadata'],
      [{ ...older, holderPublicKey: 'cd'.repeat(32) }, '/holderPublicKey'],
    ];
    for (const [body, pointer] of bad) refuses(routes.applyForCredential, body, 'requestMalformed', pointer);
    const { metadata } = element;
    const same = { ...older, templateId: vcId, metadata, holderPublicKey: key };
    assert.equal(read(routes.applyForCredential, same).templateId, vcId);
    const ofWallets = { ...older, data: [{ ...element, tds: null, passDesignId: 'x' }] };
    assert.ok(
      read(routes.applyForCredential, ofWallets).signedTexts.includes(JSON.stringify(ofWallets.data)),
    );
  });

  it('keep every value exactly, whatever it is', () => {
    const value = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value), (metadata) => {
        const request = read(routes.applyForCredential, { ...flat, metadata });
        assert.deepEqual([...request.attributes], Object.entries(metadata));
      }),
    );
  });
});

describe('creation', () => {
  const base = { vcId, expiredDate: '2030-12-31' };

  it('read dates in every form', () => {
    const forms: [JsonValue, string][] = [
      ['2030-12-31', '2030-12-31T00:00:00Z'],
      ['2030-12-31T10:00:00Z', '2030-12-31T10:00:00Z'],
      ['2030-12-31T10:00:00.999Z', '2030-12-31T10:00:00Z'],
      ['2030-12-31T10:00:00+02:00', '2030-12-31T08:00:00Z'],
      [1_924_941_600, '2030-12-31T10:00:00Z'],
      [1_924_941_600_000, '2030-12-31T10:00:00Z'],
      ['1924941600000', '2030-12-31T10:00:00Z'],
    ];
    for (const [expiredDate, text] of forms) {
      for (const name of ['expiredDate', 'validUntil', 'expirationDate']) {
        assert.equal(read(routes.createCredential, { vcId, [name]: expiredDate }).validUntil, text);
      }
    }
    for (const expiredDate of [
      '2030-02-29',
      '31.12.2030',
      'soon',
      'NaN',
      1.5,
      -1,
      '2030-12-31T25:00:00Z',
      '9'.repeat(15),
    ]) {
      refuses(routes.createCredential, { vcId, expiredDate }, 'validityInvalid', '/expiredDate');
    }
  });

  it('read issuanceData as attributes and as nothing else', () => {
    const attributesOf = (issuanceData: JsonValue) => [
      ...read(routes.createCredential, { ...base, issuanceData }).attributes,
    ];
    const grade = [['grade', 'A']];
    assert.deepEqual(attributesOf('{"grade":"A"}'), grade);
    assert.deepEqual(attributesOf({ grade: 'A' }), grade);
    assert.deepEqual(attributesOf('[{"key":"grade","value":"A"}]'), grade);
    assert.deepEqual(attributesOf(`[{"templateId":"${vcId}","metadata":{"grade":"A"}}]`), grade);
    for (const issuanceData of ['some words', '{"grade":', '{"a":{}}', '2026-01-02']) {
      refuses(routes.createCredential, { ...base, issuanceData }, 'requestMalformed', '/issuanceData');
    }
  });

  it('read metadata as a note, whatever it is', () => {
    for (const metadata of ['by post', '{"grade":"A"}']) {
      const { context, attributes } = read(routes.createCredential, { ...base, metadata });
      assert.deepEqual([context, attributes.size], [metadata, 0]);
    }
    const { context } = read(routes.createCredential, { ...base, metadata: { grade: 'A' } });
    assert.equal(context, '{"grade":"A"}');
    const metadata = 'long '.repeat(1_000);
    refuses(routes.createCredential, { ...base, metadata }, 'requestMalformed', '/metadata');
  });

  it('refuse members that are not known, and two that say different things', () => {
    refuses(routes.createCredential, { ...base, issuanceDta: {} }, 'requestMalformed', '/issuanceDta');
    const dates = { vcId, expiredDate: '2030-12-31', validUntil: '2031-12-31' };
    refuses(routes.createCredential, dates, 'requestMalformed', '/validUntil');
    refuses(routes.createCredential, { vcId, validUntil: 'soon' }, 'validityInvalid', '/validUntil');
  });

  it('remember where attributes stood', () => {
    const listed = read(routes.createCredential, { ...base, issuanceData: [{ key: 'a/b', value: 1 }] });
    assert.equal(listed.places.each.get('a/b'), '/issuanceData/0/value');
    const named = read(routes.createCredential, { ...base, issuanceData: { 'a/b': 1 } });
    assert.equal(named.places.each.get('a/b'), '/issuanceData/a~1b');
    const text = read(routes.createCredential, { ...base, issuanceData: '{"a/b":1}' });
    assert.deepEqual([text.places.whole, text.places.each.size], ['/issuanceData', 0]);
  });

  it('read the older form, and refuse two values for one attribute', () => {
    const data = [{ templateId: vcId, metadata: { grade: 'A' } }];
    const older = read(routes.createCredential, {
      vcId,
      validFrom: '2026-01-01',
      validUntil: '2027-01-01',
      data,
    });
    assert.equal(older.templateId, vcId);
    assert.deepEqual([...older.attributes], [['grade', 'A']]);
    refuses(routes.createCredential, { ...base, data, issuanceData: '{"grade":"B"}' }, 'requestMalformed');
  });
});

describe('submission, download and BBS+', () => {
  const bytes = Uint8Array.from({ length: 96 }, (_, index) => 255 - index);
  const submission = { vcId, ed25519PubKey: key, ed25519SignData: signature, keyExpiry: 0 };
  const bbsForms = (raw: Uint8Array) => [
    `z${encodeBase58(raw)}`,
    `u${encodeBase64Url(raw)}`,
    encodeBase64Url(raw),
    Buffer.from(raw).toString('base64'),
    `m${Buffer.from(raw).toString('base64')}`,
    encodeHex(raw),
    encodeHex(raw).toUpperCase(),
    `f${encodeHex(raw)}`,
  ];

  it('read BBS+ keys and signatures in every alphabet', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 96, maxLength: 96 }),
        fc.uint8Array({ minLength: 80, maxLength: 80 }),
        (publicKey, bbsSignature) => {
          const signatures = bbsForms(bbsSignature);
          for (const [index, bbsBlsPubKey] of bbsForms(publicKey).entries()) {
            const body = { ...submission, bbsBlsPubKey, bbsBlsSignData: signatures[index] };
            const request = read(routes.submitCredential, body);
            assert.deepEqual(Buffer.from(request.bbsPublicKey), Buffer.from(publicKey));
            assert.deepEqual(Buffer.from(request.bbsSignature), Buffer.from(bbsSignature));
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('read the multicodec form, and refuse other lengths', () => {
    const prefixed = `z${encodeBase58(Uint8Array.of(0xeb, 0x01, ...bytes))}`;
    const sign = (publicKeyMultibase: string, more = {}) =>
      read(routes.signWithBbs, { publicKeyMultibase, data: ['a'], ...more });
    assert.deepEqual(Buffer.from(sign(prefixed).publicKey), Buffer.from(bytes));
    const secret = Uint8Array.of(0x8a, 0x26, ...bytes.slice(0, 32));
    const given = sign(prefixed, { privateKeyMultibase: `z${encodeBase58(secret)}` });
    assert.deepEqual(Buffer.from(given.secretKey!), Buffer.from(bytes.slice(0, 32)));
    for (const wrong of ['z', 'z0', `z${'1'.repeat(4000)}`, encodeHex(bytes.slice(1)), 'ü']) {
      refuses(routes.signWithBbs, { publicKeyMultibase: wrong, data: ['a'] }, 'publicKeyMalformed');
    }
  });

  it('refuse a credential that is null: without one the signature is another', () => {
    const order = { publicKeyMultibase: `z${encodeBase58(bytes)}`, data: ['a'], vcId: null };
    refuses(routes.signWithBbs, order, 'requestMalformed', '/vcId');
  });

  it('read messages as text or bytes', () => {
    const base = { publicKeyMultibase: encodeHex(bytes) };
    const sign = (body: JsonObject) => read(routes.signWithBbs, { ...base, ...body }).messages.map(encodeHex);
    assert.deepEqual(sign({ data: ['é', ''] }), ['c3a9', '']);
    assert.deepEqual(sign({ data: ['AQI='], encoding: 'base64' }), ['0102']);
    for (const data of [[], [1], ['a', null], ['\ud800'], 'a', Array(61).fill('a')]) {
      refuses(routes.signWithBbs, { ...base, data }, 'requestMalformed');
    }
    refuses(routes.signWithBbs, { ...base, data: ['!'], encoding: 'base64' }, 'requestMalformed', '/data/0');
  });

  it('read how long a credential stays', () => {
    const windowOf = (keyExpiry: JsonValue) =>
      read(routes.submitCredential, {
        ...submission,
        bbsBlsPubKey: encodeHex(bytes),
        bbsBlsSignData: encodeHex(bytes.slice(16)),
        keyExpiry,
      }).downloadWindow;
    for (const none of [null, 0, '0']) assert.equal(windowOf(none), undefined);
    assert.deepEqual(windowOf(3600), { seconds: 3600 });
    assert.deepEqual(windowOf('3600'), { seconds: 3600 });
    assert.deepEqual(windowOf('2030-01-01T00:00:00Z'), { until: '2030-01-01T00:00:00Z' });
    assert.deepEqual(windowOf(1_893_456_000_000), { until: '2030-01-01T00:00:00Z' });
    assert.throws(() => windowOf('later'), { code: 'validityInvalid' });
    assert.throws(() => windowOf(-5), { code: 'validityInvalid' });
  });

  it('read what the holder signs to download', () => {
    const request = read(routes.downloadCredential, {
      vcId: vcId.toUpperCase().replace('DID:ZID', 'did:zid'),
      signVcId: signature,
    });
    assert.equal(request.vcId, vcId);
    assert.equal(request.isIssuer, false);
    assert.equal(request.signedTexts.length, 2);
    refuses(
      routes.downloadCredential,
      { vcId: 'did:zid:12', signVcId: signature },
      'requestMalformed',
      '/vcId',
    );
    refuses(routes.downloadCredential, { vcId, signVcId: 'ff' }, 'signatureMalformed', '/signVcId');
  });

  it('drop repetitions from bulk revocation', () => {
    const body = { vcIds: [vcId, vcId], issuerAddress: 'a' };
    assert.deepEqual(read(routes.createBulkRevocationBlob, body).vcIds, [vcId]);
    const tooMany = { vcIds: Array(101).fill(vcId), issuerAddress: 'a' };
    refuses(routes.createBulkRevocationBlob, tooMany, 'requestMalformed', '/vcIds');
  });
});
