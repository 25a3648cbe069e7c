import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ServiceEvent, serviceEventNames } from '@symbolon/wire/events/service-events';
import { serviceText, templateNames } from './service-lines.ts';

const terminal = { print: () => {}, remark: () => {}, isWatched: false, hasColours: false };
const issued: ServiceEvent = {
  id: '57',
  event: 'credential.issued',
  time: '2026-11-17T14:02:11.480Z',
  subject: `did:zid:${'3f'.repeat(32)}`,
  templateId: 'did:zid:1',
};

describe('a line of the service', () => {
  test('says when, what and of which id, in people’s words', () => {
    assert.equal(
      serviceText(issued, 'University degree', terminal),
      '14:02:11  issued      University degree to a holder             3f3f3f3f…3f3f3f',
    );
    const session = {
      ...issued,
      event: 'verification.failed',
      subject: `pres_1794922616997_${'a4'.repeat(16)}`,
    };
    assert.match(
      serviceText(session, '', terminal),
      /presented {3}by a wallet, NOT VERIFIED {2,}a4a4a4a4…a4a4a4$/,
    );
  });

  test('fits 80 columns, whatever it is about, and obeys no foreign text', () => {
    for (const event of [...serviceEventNames, 'something.new.of.a.later.service'])
      for (const subject of [issued.subject, 'x'.repeat(500)]) {
        const line = serviceText({ ...issued, event, subject }, `\u001b[2J${'W'.repeat(300)}`, terminal);
        assert.ok([...line].length <= 80, line);
        assert.ok(!line.includes('\u001b'));
      }
  });

  test('asks for the name of a template once, and does without one that is not told', async () => {
    let asked = 0;
    const nameOf = templateNames({
      getTemplate: async ({ templateId }) => {
        asked += 1;
        if (templateId !== 'did:zid:1') throw new Error('away');
        return { templateName: 'Library card' } as never;
      },
    });
    assert.deepEqual(
      [await nameOf(issued), await nameOf(issued), asked],
      ['Library card', 'Library card', 1],
    );
    assert.equal(await nameOf({ ...issued, templateId: 'did:zid:2' }), 'a credential');
  });
});
