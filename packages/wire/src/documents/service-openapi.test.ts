import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { faultsOf, type ServiceRoute } from '../http/service-route.ts';
import type { JsonObject } from '../json/json.ts';
import { allRoutes } from '../openapi/all-routes.ts';
import { serviceDocument } from '../openapi/documents.ts';
import { serviceJobs } from '../openapi/jobs.ts';
import type { ServiceOperation } from '../openapi/service-openapi.ts';

const document = serviceDocument('1');
const routes: [string, ServiceRoute][] = Object.entries(allRoutes);
const templated = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');
const operationAt = (path: string, method: string): ServiceOperation =>
  document.paths[templated(path)]?.[method.toLowerCase()];

describe('the OpenAPI document of a service', () => {
  it('has every route once, with its other paths, and nothing else', () => {
    for (const [name, route] of routes) {
      const operation = operationAt(route.path, route.method);
      assert.equal(operation.operationId, name);
      const aliases = (route.aliases ?? []).map((alias) => `${route.method} ${templated(alias)}`);
      assert.deepEqual(operation['x-other-paths'] ?? [], aliases);
      assert.equal(operation['x-sealed-path'], route.sealedPath);
      for (const path of [...aliases, ...(route.sealedPath ? [route.sealedPath] : [])])
        assert.ok(operation.description.includes(path), `${name} ${path}`);
    }
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    assert.equal(operations.length, routes.length);
  });

  it('groups operations by the job that somebody does', () => {
    const used = new Set(routes.map(([, { group }]) => group));
    assert.deepEqual([...used].sort(), Object.keys(serviceJobs).sort());
    const grouped = document['x-tagGroups']?.flatMap(({ tags }) => tags);
    assert.deepEqual(
      grouped,
      document.tags.map(({ name }) => name),
    );
  });

  it('declares every parameter that a path has', () => {
    for (const [path, item] of Object.entries(document.paths))
      for (const operation of Object.values(item)) {
        const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        const declared = (operation.parameters as { name: string; in: string; required: boolean }[]).filter(
          (parameter) => parameter.in === 'path',
        );
        assert.deepEqual(declared.map(({ name }) => name).sort(), wanted.sort(), path);
        assert.ok(declared.every(({ required }) => required));
      }
  });

  it('tells every fault of a route under its status', () => {
    for (const [name, route] of routes) {
      const { responses } = operationAt(route.path, route.method);
      const text = JSON.stringify(responses);
      for (const fault of faultsOf(route)) assert.ok(text.includes(`${fault}: `), `${name} ${fault}`);
      assert.ok(responses[route.status ?? 200]);
    }
  });

  it('has the status of a wrong key wherever one may be shown', () => {
    for (const [name, route] of routes) {
      const told = JSON.stringify(operationAt(route.path, route.method).responses);
      if (route.access === 'key' || route.access === 'optionalKey')
        assert.ok(told.includes('notAuthenticated: '), name);
    }
  });

  it('has 400 for every route: a parameter that is not known may stand in any address', () => {
    for (const [name, route] of routes) {
      const { responses } = operationAt(route.path, route.method);
      assert.ok(JSON.stringify(responses).includes('requestMalformed: '), name);
    }
  });

  it('names the media types that are served, of answers and of refusals', () => {
    const typesAt = (path: string, status: number) => {
      return Object.keys(operationAt(path, 'GET').responses[status].content);
    };
    const [usual, ...others] = typesAt('/1.0/identifiers/:did', 200);
    assert.equal(usual, 'application/did-resolution');
    for (const type of ['application/json', 'application/did', 'application/did-url-dereferencing'])
      assert.ok(others.includes(type), type);
    assert.ok(typesAt('/1.0/identifiers/:did', 404).includes('application/did-resolution'));
    const events = '/v1/verification/:id/events';
    assert.deepEqual(typesAt(events, 200), ['text/event-stream']);
    assert.deepEqual(typesAt(events, 401), ['application/json']);
  });

  it('has the headers of its own that a route reads, and statuses that are no faults', () => {
    const headersAt = (path: string, method = 'POST') =>
      (operationAt(path, method).parameters as { name: string; in: string }[])
        .filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name);
    assert.deepEqual(headersAt('/v1/vc/pay/apply'), ['PAYMENT-SIGNATURE', 'X-PAYMENT']);
    assert.ok(headersAt('/v1/presentation/submit').includes('x-wallet-signed-data'));
    assert.ok(headersAt('/v1/vc/ext/download').includes('signeddata'));
    assert.deepEqual(headersAt('/wallet/hsm/account/policy', 'GET'), ['x-custody-password']);
    const settle = operationAt('/ztx/facilitator/settle', 'POST').responses;
    assert.ok(settle[202]);
    for (const status of [400, 402, 409])
      assert.match(JSON.stringify(settle[status]), /schemas\/SettlementRefusal"/);
    const { SettlementRefusal } = document.components.schemas;
    assert.match(JSON.stringify(SettlementRefusal), /"status":.*"txHash":/);
    const { 402: demand, 200: issued } = operationAt('/v1/vc/pay/apply', 'POST').responses;
    assert.match(JSON.stringify(demand.content), /"accepts":.*schemas\/ExtendedRefusal/);
    assert.deepEqual(Object.keys(demand.headers ?? {}), ['payment-required']);
    assert.deepEqual(Object.keys(issued.headers ?? {}), ['payment-response', 'x-payment-response']);
    const { 503: changed } = operationAt('/ztx/facilitator/settle/status', 'GET').responses;
    assert.match(JSON.stringify(changed), /ledgerChanged/);
    const { 429: busy } = operationAt('/cred/v1/vc/apply', 'POST').responses;
    assert.ok(JSON.stringify(busy).includes('Retry-After'));
  });

  it('shows how a payment looks', () => {
    const { requestBody } = operationAt('/ztx/facilitator/verify', 'POST');
    for (const member of ['transactionBlob', 'clientSignature', 'paymentRequirements', 'validBefore'])
      assert.ok(JSON.stringify(requestBody).includes(`"${member}"`), member);
  });

  it('names keys where they are needed, and headers of the seal', () => {
    for (const [name, route] of routes) {
      const { security } = operationAt(route.path, route.method);
      assert.equal(security === undefined, route.access === 'open', name);
      assert.equal(
        security?.some((scheme) => Object.keys(scheme).length === 0) ?? false,
        route.access === 'optionalKey',
      );
    }
    const seal = Object.keys(document.components.parameters ?? {});
    assert.deepEqual(seal, ['secretKey', 'x25519PubKey', 'kid']);
  });

  it('points only at components it has', () => {
    const text = JSON.stringify(document);
    for (const [, target] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
      assert.ok(target.startsWith('#/components/schemas/'), target);
      assert.ok(document.components.schemas[target.slice('#/components/schemas/'.length)], target);
    }
    assert.ok(!text.includes('$defs'));
  });

  it('describes envelopes as they are rendered', () => {
    // A reply that is bare has the members that it has.
    const required = ({ required: names = [] }: JsonObject) => names as string[];
    for (const [name, { envelope }] of routes) {
      if (!envelope) continue;
      const described = envelope.describe({});
      const done = envelope.success({});
      const refused = envelope.failure(new Fault('internalError'), 'r').body;
      assert.deepEqual(
        required(described.success).filter((it) => !Object.hasOwn(done, it)),
        [],
        name,
      );
      assert.deepEqual(
        required(described.failure).filter((it) => !Object.hasOwn(refused, it)),
        [],
        name,
      );
      const named = Object.keys(described.failure.properties as JsonObject);
      assert.ok(named.includes('code') || named.includes('error'), name);
    }
  });
});
