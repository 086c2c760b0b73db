import { setPriority } from 'node:os';
import { Attackers } from './attackers.js';
import { attacks } from './list.js';

interface Orders {
  url: string;
  target: unknown;
}

/** In truth they have machines of their own: what they cost here shall take least from the service. */
const PRIORITY = 10;

/**
 * The attackers' process: receives its target from its parent, attacks until it is stopped, and reports the responses.
 */
async function main(name: string | undefined) {
  const attack = attacks.find((each) => each.name === name);
  if (!attack) throw new Error(`There is no attack ${name}.`);
  setPriority(PRIORITY);
  const send = (message: object) => process.send?.(message);
  const stop = new AbortController();
  process.once('disconnect', () => process.exit());
  const orders = await new Promise<Orders>((resolve) => {
    process.once('message', resolve as (message: unknown) => void);
    send({ type: 'ready' });
  });
  process.once('message', () => stop.abort());
  const attackers = new Attackers(orders.url, stop.signal);
  await attack.run(attackers, orders.target);
  send({ type: 'done', counts: attackers.counts });
}

await main(process.argv[2]);
