/** The lab against a real ledger: build, test, sign, submit; a shared draft; refusals; decode; a called contract. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { signerFromPrivateKey } from '@symbolon/sdk/keys/signer';
import { usualKeyFormat } from '@symbolon/sdk/keys/usual-keys';
import { openItem, transactionItem } from '@symbolon/sdk/transactions/transaction-texts';
import { signTransaction } from '@symbolon/sdk/transactions/transactions';
import { stringifyJson } from '@symbolon/wire/json/json';
import type { Page } from 'playwright-core';
import { consoleSuite, focusedText, heading } from '../support/console-suite.ts';
import { draftPath, labFacts, nobodyYet, payment, website, wholeDraftPath } from '../support/lab-drafts.ts';

const { options, revisit, visit, world } = await consoleSuite();

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const field = (page: Page, name: string | RegExp) =>
  page.getByRole('combobox', { name }).or(page.getByRole('textbox', { name })).first();

describe('the lab', options, () => {
  test('builds by form, says it, tests it, signs it and hands it in', async () => {
    const { issuer } = await labFacts(world());
    await revisit({ as: 'issuer', path: '/lab/build' }, async (page) => {
      await heading(page, 'Transaction lab').waitFor();
      await page.getByText('To is missing').waitFor();
      await field(page, 'To').fill('Mira');
      await page.getByText('To is no address of an account or its DID').waitFor();
      assert.equal(await page.locator('.lab-steps .done').count(), 0, 'it is not built');
      await field(page, 'To').fill('');
      await page.getByText('To is missing').waitFor();
      await button(page, 'Go there').click();
      // Whoever goes there types into the field.
      await page.keyboard.insertText(nobodyYet);
      assert.equal(await field(page, 'To').inputValue(), nobodyYet);
      await page.getByText('Account does not exist yet. Paying creates it.').waitFor();
      await field(page, 'Amount').fill('1,500');
      await page.getByText('Two numbers are possible').waitFor();
      await page.getByText(/^Amount must be an amount of coins such as 12 or 0\.5/).waitFor();
      await field(page, 'Nonce').fill('1,5');
      await page.getByText('Only digits make a whole number').waitFor();
      await field(page, 'Nonce').fill('');
      await field(page, 'Amount').fill('2,5');
      await page.getByText('University of Example pays 2.5 Gas to').waitFor();
      await page.getByText(/Would succeed, for at most 0\.\d+ Gas/).waitFor();
      // The address holds it: a page that is loaded again has the same draft.
      await page.waitForURL(/draft=/);
      await page.reload();
      await page.getByText(/Would succeed, for at most 0\.\d+ Gas/).waitFor();
      assert.equal(await field(page, 'Source').inputValue(), issuer.address);
      assert.equal(await page.getByText('This draft came with the link').count(), 0, 'it is their own');
      await button(page, 'Sign as University of Example').click();
      await page.getByText('1 of 1 needed').waitFor();
      assert.match(await focusedText(page), /^It is fixed/);
      const nonce = await field(page, 'Nonce').inputValue();
      assert.match(nonce, /^\d+$/);
      assert.equal(await field(page, 'Amount').isDisabled(), true);
      await button(page, 'Hand it in').click();
      await page.getByText(/^Executed\. Recorded in block \d+\.$/).waitFor();
      assert.match(await focusedText(page), /^Executed\./);
      assert.equal(await field(page, 'Nonce').inputValue(), nonce, 'what was handed in is shown');
      assert.equal(await page.locator('.lab-steps .done').count(), 4);
      await button(page, 'Start over').click();
      await page.getByText(/^Executed\./).waitFor({ state: 'detached' });
      assert.equal(await page.locator('.lab-steps .done').count(), 0);
      await field(page, 'To').fill(nobodyYet);
      await page.getByText('Account exists, has 2.5 Gas').waitFor();
      await field(page, 'To').fill('mira example');
      assert.match(await field(page, 'To').inputValue(), /^ZTX/);
    });
  });

  test('a link that gives an account away or empties it is told so before anybody signs', async () => {
    const { issuer, holder, credentialRegistry } = await labFacts(world());
    const signers = [{ address: holder.address, weight: '1' }];
    const away = { type: 9, set_privilege: { master_weight: '0', signers } };
    await revisit({ as: 'issuer', path: draftPath(issuer.address, away) }, async (page) => {
      await page.getByText('This draft came with the link').waitFor();
      await page.getByText(/gives up control of the account: its own key no longer counts/).waitFor();
      const lost =
        'University of Example loses control of the account: Mira Example alone can sign afterwards.';
      await page.getByRole('alert').getByText(lost).waitFor();
      await page.locator('.lab-then', { hasText: 'Mira Example' }).waitFor();
      await button(page, 'Sign as University of Example').click();
      await page.getByRole('dialog').getByText(lost).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      assert.equal(await page.getByText('1 of 1 needed').count(), 0, 'nothing is signed');
    });
    const revoke = { type: 7, pay_coin: { dest_address: credentialRegistry, input: '{"method":"revoke"}' } };
    const log = { type: 4, set_metadata: { key: 'did.log', value: '{}' } };
    const { templates } = await world().service.stranger.listTemplates({});
    const token = templates.find(({ price }) => price?.symbol === 'EXC')?.price?.asset ?? '';
    const input = JSON.stringify({
      method: 'approve',
      params: { spender: holder.address, value: '99999999' },
    });
    const approve = { type: 7, pay_coin: { dest_address: token, amount: '0', input } };
    await revisit({ as: 'issuer', path: draftPath(issuer.address, revoke, log, approve) }, async (page) => {
      const told = page.getByRole('alert');
      await told.getByText('University of Example revokes credentials for good').waitFor();
      await told.getByText('The DID document of University of Example changes').waitFor();
      await told.getByText(/Mira Example may take 999,999\.99 “EXC” from University of Example/).waitFor();
    });
    const noted = { type: 7, pay_coin: { dest_address: holder.address, amount: '5', input: 'hello' } };
    await visit({ as: 'issuer', path: draftPath(issuer.address, noted) }, async (page) => {
      await page
        .getByText(/pays 0\.000005 Gas to .*Mira Example.*, with a text that no contract reads/)
        .waitFor();
    });
  });

  test('what was handed in without a network is asked for when it is back, and handed in again as it is', async () => {
    const { issuer, holder } = await labFacts(world());
    await visit(
      { as: 'issuer', path: draftPath(issuer.address, payment(holder.address, '7')) },
      async (page) => {
        await button(page, 'Sign as University of Example').click();
        await page.getByText('1 of 1 needed').waitFor();
        await page.context().setOffline(true);
        await button(page, 'Hand it in').click();
        await page.getByText(/^Outcome not known yet/).waitFor();
        assert.equal(await page.getByText('Handed in.').count(), 0, 'no node has answered');
        await page.context().setOffline(false);
        await page.getByText(/^The ledger does not have it/).waitFor();
        await page.route(/submitTransaction/, async (route) => {
          await new Promise((done) => setTimeout(done, 1_500));
          await route.continue();
        });
        await button(page, 'Hand the same in again').click();
        await button(page, 'Start over').click();
        // The answer comes late: it is told, and the new draft stays.
        const left = page.getByText('Handed in before you started over');
        await left.getByText(/Executed\. Recorded in block \d+\./).waitFor();
        assert.equal(await page.locator('.lab-done').count(), 0);
        assert.equal(await field(page, 'To').isEnabled(), true);
      },
    );
  });

  test('what the ledger refuses is changed and signed anew', async () => {
    const { issuer, holder } = await labFacts(world());
    const drafted = (amount: string) => ({
      as: 'issuer' as const,
      path: draftPath(issuer.address, payment(holder.address, amount)),
    });
    const executed = /^Executed\. Recorded in block \d+\.$/;
    const sign = async (page: Page): Promise<void> => {
      await button(page, 'Sign as University of Example').click();
      await page.getByText('1 of 1 needed').waitFor();
    };
    await visit(drafted('8'), async (page) => {
      await sign(page);
      await visit(drafted('9'), async (other) => {
        await sign(other);
        await button(other, 'Hand it in').click();
        await other.getByText(executed).waitFor();
      });
      await page.bringToFront();
      await button(page, 'Hand it in').click();
      await button(page, 'Change it and drop the signatures').click();
      await sign(page);
      await button(page, 'Hand it in').click();
      await page.getByText(executed).waitFor();
    });
  });

  test('says why it would fail, and offers nothing to sign', async () => {
    const { issuer } = await labFacts(world());
    const poor = usualKeyFormat.addressOf(new Uint8Array(32).fill(10));
    await visit(
      { as: 'issuer', path: draftPath(issuer.address, payment(poor, '9000000000000000000')) },
      async (page) => {
        await page.getByText('Would fail', { exact: true }).waitFor();
        await page.getByText(/cannot pay 9000000000000000000/).waitFor();
        assert.equal(await button(page, /^Sign as/).isDisabled(), true);
      },
    );
  });

  test('says what the account cannot pay, which the trial does not look at, and at which field a price is too high', async () => {
    const { issuer, holder } = await labFacts(world());
    const beyond = payment(holder.address, '4000000000000000000');
    await revisit({ as: 'issuer', path: draftPath(issuer.address, beyond) }, async (page) => {
      await page.getByText('Would fail', { exact: true }).waitFor();
      const lacking = /would need 4,000,000,000,000\.\d+ Gas and has [\d,.]+ Gas\. It would fail, and cost/;
      await page.locator('.lab-refusal').getByText(lacking).waitFor();
      assert.equal(await page.getByText(/Would succeed/).count(), 0);
      await button(page, 'Sign as University of Example').click();
      await page.getByRole('dialog').getByText(lacking).waitFor();
    });
    const dear = {
      source_address: issuer.address,
      gas_price: '3600000000',
      operations: [payment(holder.address, '1')],
    };
    await revisit({ as: 'issuer', path: wholeDraftPath(dear) }, async (page) => {
      await page.getByText(/^Gas price makes it cost [\d,.]+ Gas, more than is signed here/).waitFor();
      await button(page, 'Go there').click();
      await field(page, 'Gas price').and(page.locator(':focus')).waitFor();
    });
  });

  test('shows form and JSON of one draft, adds and orders operations', async () => {
    const { issuer, holder } = await labFacts(world());
    const path = draftPath(issuer.address, payment(holder.address, '1000000'));
    await revisit({ as: 'issuer', path }, async (page) => {
      await button(page, 'Add an operation').click();
      await page.getByRole('menuitem', { name: 'Set metadata' }).click();
      await field(page, 'Key').fill('website');
      await field(page, 'Value').fill('university.example');
      await page.getByText('and writes the metadata “website”').waitFor();
      await button(page, 'Move operation 2 up').click();
      await page.getByText(/writes the metadata “website” and pays 1 Gas/).waitFor();
      await page.getByText('JSON', { exact: true }).click();
      const json = field(page, 'The draft as JSON');
      await json.fill((await json.inputValue()).replace('"1000000"', '"2000000"'));
      await page.getByText(/and pays 2 Gas/).waitFor();
      await json.fill('{');
      await page.getByText('This is no JSON object yet').waitFor();
      await page.getByText(/and pays 2 Gas/).waitFor();
    });
  });

  test('takes signatures from elsewhere, and none that is not over it', async () => {
    const { issuer, holder } = await labFacts(world());
    const path = draftPath(issuer.address, payment(holder.address, '1000000'), website);
    await revisit({ path }, async (page) => {
      await page.getByText('Nobody sits here.').waitFor();
      await button(page, 'Elsewhere').click();
      const saved = page.waitForEvent('download');
      await button(page, 'Save the file').click();
      const chunks: Buffer[] = [];
      for await (const chunk of await (await saved).createReadStream()) chunks.push(chunk as Buffer);
      const made = openItem(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      assert.ok(made);
      const signer = await signerFromPrivateKey(issuer.privateKey);
      const pasted = page.getByRole('textbox', { name: /^Signatures from elsewhere/ });
      const other = await signTransaction({ ...made.transaction, nonce: 99n }, [signer]);
      await pasted.fill(stringifyJson(transactionItem(other)));
      await button(page, 'Add them').click();
      await page.getByText('This file is about another transaction').waitFor();
      assert.equal(await button(page, 'Hand it in').isDisabled(), true);
      await pasted.fill(stringifyJson(transactionItem(await signTransaction(made.transaction, [signer]))));
      await button(page, 'Add them').click();
      await page.getByText('1 of 1 needed').waitFor();
      await button(page, 'Hand it in').click();
      await page.getByText(/^Executed\. Recorded in block/).waitFor();
    });
  });

  test('shows a stranger’s draft as text, and a link that holds none as none', async () => {
    const script = '<img src=x onerror=alert(1)>\u202e';
    const strange = { type: 8, log: { topic: script, datas: [script] } };
    const { issuer } = await labFacts(world());
    await revisit({ as: 'issuer', path: draftPath(issuer.address, strange) }, async (page) => {
      await page.getByText(/notes under the topic “<img src=x/).waitFor();
      assert.equal(await page.locator('main img').count(), 0);
    });
    await revisit({ path: '/lab/build?draft=bm90aGluZw' }, async (page) => {
      await page.getByText('The link holds no draft').waitFor();
    });
  });

  test('shows every note that a link would have signed, and asks before what nobody sees is signed', async () => {
    const { issuer, holder } = await labFacts(world());
    const noted = {
      source_address: issuer.address,
      metadata: 'I owe Bank 5000',
      operations: [{ ...payment(holder.address, '1'), metadata: 'opnote hidden' }],
    };
    await revisit({ as: 'issuer', path: wholeDraftPath(noted) }, async (page) => {
      const says = page.locator('.lab-notes');
      await says.getByText('Note: I owe Bank 5000').waitFor();
      await says.getByText('Note (operation 1): opnote hidden').waitFor();
      const notes = await page.getByRole('textbox', { name: 'Note' }).all();
      const written = await Promise.all(notes.map((one) => one.inputValue()));
      assert.deepEqual(written, ['I owe Bank 5000', 'opnote hidden']);
      assert.ok(await notes[1]?.isVisible());
    });
    const input = '{"x":"\u202e","method":"approve"}';
    const turned = {
      type: 7,
      metadata: 'ff00',
      pay_coin: { dest_address: holder.address, amount: ['1'], input },
    };
    await revisit({ as: 'issuer', path: draftPath(issuer.address, turned) }, async (page) => {
      await page.locator('.lab-op .hidden-note', { hasText: 'U+202E' }).waitFor();
      const beside = page.locator('.lab-unseen');
      await beside.getByText('operations[0].metadata').waitFor();
      await beside.getByText('operations[0].pay_coin.amount[0]').waitFor();
      await button(page, 'Sign as University of Example').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/turn them around: U\+202E.* but these bytes: ff00/).waitFor();
    });
  });

  test('only reads on a narrow screen', async () => {
    const { issuer, holder } = await labFacts(world());
    const path = draftPath(issuer.address, payment(holder.address, '1000000'));
    await visit({ as: 'issuer', path: '/lab/build', width: 390 }, async (page) => {
      await page.getByText('it is filled in on a wider screen').waitFor();
    });
    await visit({ as: 'issuer', path, width: 390 }, async (page) => {
      await page.getByText('Drafts are changed on a wider screen.').waitFor();
      await page.getByText(/pays 1 Gas to/).waitFor();
      assert.equal(await button(page, /^Sign as/).count(), 0);
    });
  });

  test('decodes what is pasted, and keeps no private key', async () => {
    const { issuer, holder } = await labFacts(world());
    await revisit({ path: '/lab/decode' }, async (page) => {
      const pasted = page.getByRole('textbox');
      const draft = { source_address: issuer.address, nonce: 7, operations: [payment(holder.address, '5')] };
      await pasted.fill(JSON.stringify(draft));
      await page.getByText('University of Example pays 0.000005 Gas to').waitFor();
      await page.getByText('0 of 1 needed').waitFor();
      await pasted.fill('ab'.repeat(32));
      await page.getByText('No transaction of this hash is known').waitFor();
      await pasted.fill(issuer.privateKey);
      await page.getByText('This is a private key.').waitFor();
      assert.ok(!page.url().includes(issuer.privateKey));
      await pasted.fill('nothing');
      await page.getByText('This is nothing that the lab knows.').waitFor();
    });
  });

  test('calls a contract, shows its answer or where it failed, and makes a draft of it', async () => {
    const { credentialRegistry } = await labFacts(world());
    await revisit({ as: 'issuer', path: `/lab/call?contract=${credentialRegistry}` }, async (page) => {
      const call = { method: 'getStatus', params: { issuer: nobodyYet, vcId: 'x' } };
      await field(page, 'Input').fill(JSON.stringify(call));
      await button(page, 'Run').click();
      await page.getByText('"status": "unknown"').waitFor();
      await field(page, 'Input').fill('nothing');
      await button(page, 'Run').click();
      await page
        .getByText(/JSON|token/)
        .first()
        .waitFor();
      await page.getByText('Who had called whom').waitFor();
      await page.getByRole('link', { name: 'Make it a transaction' }).click();
      await heading(page, 'Transaction lab').waitFor();
      await page.getByText(/calls main of the contract/).waitFor();
    });
  });
});
