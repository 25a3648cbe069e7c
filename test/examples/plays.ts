/** Every example of both documents, in an order that works. */
import type { Owner } from '../support/owner.ts';
import { playConsole } from './console-plays.ts';
import { startDemoWorld } from './demo-world.ts';
import { playDeveloper } from './developer-plays.ts';
import { playIssuer } from './issuer-plays.ts';
import { playLedger } from './ledger-plays.ts';
import { playLogin } from './login-plays.ts';
import { playEvents, playMoney, playOperator } from './money-plays.ts';
import { playOpenid } from './openid-plays.ts';
import { playOpenidVerifier } from './openid-verifier-plays.ts';
import { ledgerPlayer, type Played, servicePlayer } from './player.ts';
import { playVcApi } from './vc-api-plays.ts';
import { playVerifier } from './verifier-plays.ts';

export async function playAll(owner: Owner): Promise<{ readonly ledger: Played; readonly service: Played }> {
  const world = await startDemoWorld(owner);
  const [ledger, service]: [Played, Played] = [{}, {}];
  await playLedger(ledgerPlayer(world.node.url, ledger), world);
  const play = servicePlayer(world.service.url, service);
  const issued = await playIssuer(play, world);
  await playVerifier(play, world, issued);
  const card = await playOpenid(play, world, issued);
  await playLogin(play, world, issued);
  await playOpenidVerifier(play, world, card);
  await playVcApi(play, world, issued);
  await playMoney(play, world);
  await playEvents(play, world);
  await playDeveloper(play, world);
  await playConsole(play, world);
  await playOperator(play, world);
  return { ledger, service };
}
